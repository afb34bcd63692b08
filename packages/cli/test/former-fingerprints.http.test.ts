/** A project that knows findings by fingerprints of version 1, and a machine without a report of it, as in a pipeline. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import type { CanonicalReport } from '@svc/report';
import { bodyOf, syncReport } from '@svc/testkit';
import { sharedServer } from '@svc/testkit/suite';
import { expect, test } from 'vitest';
import { rejectionBody } from './gate.ts';
import { createMachine, jsonOf } from './svc.ts';
import { sarifOf } from './sarif-results.ts';
import { initRepository } from './repository.ts';
import { syncingMachine } from './syncing.ts';

const server = sharedServer();
const files = ['src/a.js', 'src/b.js'];
const log = sarifOf(files.map((file) => ({ file, level: 'warning' as const })));
const scan = ['scan', '.', '--only', 'secrets', '--sarif', 'linter.sarif'];

/** Findings as version 1 stored them: with the fingerprint that one of their tags names now, and without such tags. */
async function findingsOfVersion1(): Promise<CanonicalReport['findings']> {
  await using machine = await createMachine();
  initRepository(machine.folder);
  writeFileSync(path.join(machine.folder, 'linter.sarif'), log);
  await machine.svc([...scan, '--no-sync']);
  const { stdout } = await machine.svc(['export', '--format', 'json', '--output', '-']);
  const { findings } = jsonOf(stdout) as CanonicalReport;
  return findings.map(({ tags = [], ...finding }) => {
    const [former] = tags.flatMap((tag) => /^was:([0-9a-f]{64})$/.exec(tag)?.[1] ?? []);
    return { ...finding, fingerprint: former ?? '', tags: tags.filter((tag) => !tag.startsWith('was:')) };
  });
}

test('[D26] decisions about findings of version 1 apply to the findings of the machine’s first scan', async () => {
  await using syncing = await syncingMachine(server);
  const [project] = bodyOf(await syncing.owner.api.listProjects({})).projects;
  if (project === undefined) throw new Error('the machine is not bound');
  const { workspaceId, projectId } = project;
  const before = await syncReport(syncing.device, {
    project: { workspaceId, projectId },
    body: { findings: await findingsOfVersion1() },
  });
  const params = { id: before.reportId, findingId: 'F-1' };
  bodyOf(await syncing.owner.api.changeFindingStatus({ params, body: { status: 'accepted_risk' } }));
  writeFileSync(path.join(syncing.machine.folder, 'linter.sarif'), log);
  expect(await syncing.svc(scan)).toMatchObject({ code: 0 });
  const [newest] = await syncing.reports();
  const { report } = bodyOf(await syncing.owner.api.getReport({ params: { id: newest?.reportId ?? '' } }));
  expect(report?.findings?.map(({ affected, status }) => [affected.file, status])).toEqual([
    ['src/a.js', 'accepted_risk'],
    ['src/b.js', 'open'],
  ]);
});

test('a service that does not know moved identities yet gets the report without them', async () => {
  await using syncing = await syncingMachine(server);
  syncing.gate.decide = ({ name, body }) =>
    name === 'finalize' && body.includes('"previous"')
      ? { status: 400, body: rejectionBody('VALIDATION_FAILED') }
      : 'pass';
  writeFileSync(path.join(syncing.machine.folder, 'linter.sarif'), log);
  expect(await syncing.svc(scan)).toMatchObject({ code: 0 });
  expect(syncing.gate.statusesOf('finalize')).toEqual([400, 200]);
  expect(await syncing.reports()).toMatchObject([{ state: 'finalized' }]);
});
