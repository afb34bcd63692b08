/** A copy of the `.svc.json` of another repository: nothing of this repository reaches the project of the other one. */
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { startServer } from '@svc/testkit';
import { afterAll, expect, test } from 'vitest';
import { git, repositoryWith } from './repository.ts';
import { containing, jsonOf } from './svc.ts';
import { syncingMachine, type Syncing } from './syncing.ts';

const server = await startServer();
afterAll(() => server.close());

const files = { 'src/index.js': 'export const one = 1;\n' };
const bindingFile = (folder: string) => path.join(folder, '.svc.json');
const bindingIn = (folder: string) =>
  JSON.parse(readFileSync(bindingFile(folder), 'utf8')) as { bindingPublicId: string; remoteDigest?: string };

/** A bound repository with a remote, and another one that contains a copy of its binding. */
async function withCopy({ machine, svc }: Syncing, remote: string) {
  git(machine.folder, 'remote', 'add', 'origin', 'https://git.example.com/acme/shop.git');
  expect((await svc(['init'])).code).toBe(0);
  const copy = repositoryWith(files);
  git(copy, 'remote', 'add', 'origin', remote);
  copyFileSync(bindingFile(machine.folder), bindingFile(copy));
  return copy;
}

test('[T27] with the binding of another remote, a scan stays on the machine, and a sync does not send it', async () => {
  await using syncing = await syncingMachine(server, { bound: false });
  const { svc, gate } = syncing;
  const copy = await withCopy(syncing, 'https://git.example.com/other/fork.git');
  const before = readFileSync(bindingFile(copy), 'utf8');
  gate.calls.length = 0;
  const scanned = await svc(['scan', '--json'], {}, copy);
  expect(scanned.code).toBe(0);
  expect(scanned.stderr.split('\n').filter((line) => line.includes('another remote'))).toHaveLength(1);
  expect(jsonOf(scanned.stdout)).toMatchObject({ state: 'finished', reportId: null });
  expect(await svc(['sync'], {}, copy)).toMatchObject({ code: 1, stderr: containing('another remote') });
  const started = await svc(['scan', 'start'], {}, copy);
  expect(started.stderr).toContain('another remote');
  expect((await svc(['scan', 'finish'], {}, copy)).code).toBe(0);
  expect(await svc(['init'], {}, copy)).toMatchObject({ code: 1 });
  expect(gate.calls.filter(({ name }) => !['quota', 'projects', 'reports'].includes(name))).toEqual([]);
  expect(await syncing.reports()).toEqual([]);
  expect(await syncing.used()).toBe(0);
  expect(readFileSync(bindingFile(copy), 'utf8')).toBe(before);

  // The gate of such a scan still applies.
  const token = ['ghp', '0123456789abcdefghijABCDEFGHIJ012345'].join('_');
  writeFileSync(path.join(copy, 'key.txt'), `token = "${token}"\n`);
  const judged = await svc(['scan', '--fail-on', 'low'], {}, copy);
  expect(judged.code).toBe(7);

  // The variable accepts the binding for one run, and the option permanently.
  expect((await svc(['scan'], { SVC_ACCEPT_BINDING: '1' }, copy)).stderr).not.toContain('another remote');
  expect(await syncing.reports()).toHaveLength(1);
  expect(readFileSync(bindingFile(copy), 'utf8')).toBe(before);
  expect((await svc(['sync', '--accept-binding'], {}, copy)).code).toBe(0);
  expect(bindingIn(copy)).toMatchObject({
    bindingPublicId: bindingIn(syncing.machine.folder).bindingPublicId,
  });
  expect(bindingIn(copy).remoteDigest).not.toBe(bindingIn(syncing.machine.folder).remoteDigest);
  expect((await svc(['scan'], {}, copy)).stderr).not.toContain('another remote');
  expect((await syncing.reports()).length).toBeGreaterThan(1);
});

test('[T27] a report that was created before the remote changed is not sent with that binding either', async () => {
  await using syncing = await syncingMachine(server, { bound: false });
  const { svc, machine } = syncing;
  const copy = await withCopy(syncing, 'git@git.example.com:acme/shop.git');
  // The same remote in another spelling.
  expect((await svc(['scan', '--no-sync'], {}, copy)).stderr).not.toContain('another remote');
  git(copy, 'remote', 'set-url', 'origin', 'https://git.example.com/other/fork.git');
  const [newest] = await syncing.local();
  const id = newest?.report.localReportId ?? '';
  expect((await svc(['sync', '--report', id], {}, copy)).code).toBe(1);
  expect(await syncing.reports()).toEqual([]);

  // A binding from before the repository had a remote has no digest. It is accepted, and only init adds the digest.
  const { bindingPublicId } = bindingIn(machine.folder);
  const old = `${JSON.stringify({ bindingPublicId, kept: true })}\n`;
  writeFileSync(bindingFile(copy), old);
  expect((await svc(['sync', '--report', id], {}, copy)).code).toBe(0);
  expect(readFileSync(bindingFile(copy), 'utf8')).toBe(old);
  const again = await svc(['init'], {}, copy);
  expect(again).toMatchObject({ code: 0, stderr: containing('Added the digest') });
  expect(bindingIn(copy)).toMatchObject({
    bindingPublicId,
    kept: true,
    remoteDigest: expect.any(String) as string,
  });
  git(machine.folder, 'remote', 'remove', 'origin');
  expect((await svc(['scan'])).stderr).not.toContain('another remote');
});
