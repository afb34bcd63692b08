/** What a share shows of a report is prepared before it is read, and does not depend on what the share hides. */
import { truncateSync, utimesSync } from 'node:fs';
import type { FindingStatus, SharePolicy } from '@svc/contract';
import {
  finalizeWith,
  bindProject,
  bodyOf,
  createShell,
  blobFilesIn,
  findingBody,
  reportBytes,
  shareOf,
  syncReport,
  type DeviceActor,
  type SessionActor,
} from '@svc/testkit';
import { sharedServer } from '@svc/testkit/suite';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import type { Blobs } from '#platform/blobs/blobs';

let owner: SessionActor;
let device: DeviceActor;
/** The length of each blob that was read. */
let readLengths: number[] = [];
let isStorageFull = false;
/** Runs after a blob was read, before the reader gets it. */
let afterReading: () => Promise<void> = async () => undefined;

// The tests look at the files.
const server = sharedServer({ generousPlans: true, wrapBlobs: recording, config: { bucket: null } });

beforeAll(async () => {
  owner = await server.signUp();
  device = await server.linkDevice(owner);
});
beforeEach(() => {
  readLengths = [];
});

function recording(blobs: Blobs): Blobs {
  return {
    ...blobs,
    async get(name) {
      const bytes = await blobs.get(name);
      readLengths.push(bytes?.length ?? -1);
      await afterReading();
      return bytes;
    },
    async put(name, parts) {
      if (isStorageFull) throw new Error('no space left');
      await blobs.put(name, parts);
    },
  };
}

const HIDDEN = 60;
const paths = ['report', 'export/html', 'export/json', 'export/markdown', 'export/sarif'];
/** Hides critical findings. */
const narrow: SharePolicy = {
  version: 1,
  sections: { mode: 'allow_all' },
  findings: { mode: 'allow_all', maxSeverity: 'high' },
  fields: { metadata: true, remediation: true },
};
const shown = [findingBody(1), findingBody(2)];
const hidden = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ ...findingBody(index + 100), severity: 'critical' }));

async function reportWith(hiddenCount: number): Promise<string> {
  const findings = [...hidden(hiddenCount), ...shown];
  return (await syncReport(device, { body: { findings } })).reportId;
}

const rowsOf = (reportId: string) =>
  server.service.database.read
    .selectFrom('preparedProjections')
    .selectAll()
    .where('reportId', '=', reportId)
    .orderBy('policyDigest')
    .execute();
const blobFiles = () => blobFilesIn(server.dataDir);
const fileOf = (blobName: string | null) => blobFiles().find((file) => file.endsWith(`/${blobName}`)) ?? '';
const read = async (slug: string, path = 'report') => {
  const answer = await server.anonymous.fetch(`/api/v1/shares/slug/${slug}/${path}`);
  return { status: answer.status, body: await answer.text() };
};
const decide = async (id: string, findingId: string, status: FindingStatus) =>
  bodyOf(await owner.api.changeFindingStatus({ params: { id, findingId }, body: { status } }));

test('[T30] a first read reads one blob, of the same length with 0 and with 60 hidden findings', async () => {
  const sides = [];
  for (const count of [0, HIDDEN]) {
    const reportId = await reportWith(count);
    const { slug } = await shareOf(owner, reportId, { defaultPolicy: narrow });
    const [row, ...others] = await rowsOf(reportId);
    readLengths = [];
    const answers = [];
    for (const path of paths) answers.push((await read(slug, path)).body.replaceAll(reportId, 'the report'));
    const { sizeBytes, version } = row ?? {};
    sides.push({ lengths: [...readLengths], answers, sizeBytes, version, others });
  }
  const [none, many] = sides;
  expect(none?.lengths).toHaveLength(paths.length);
  expect(new Set(none?.lengths).size).toBe(1);
  expect(none?.sizeBytes).toBeGreaterThan(0);
  expect(many).toEqual(none);
});

test('[T30] a decision about a hidden finding changes no row and causes no rendering', async () => {
  const reportId = await reportWith(3);
  const { slug } = await shareOf(owner, reportId, { defaultPolicy: narrow });
  const before = { rows: await rowsOf(reportId), answer: await read(slug) };
  readLengths = [];
  await decide(reportId, 'F-101', 'accepted_risk');
  readLengths = [];
  expect({ rows: await rowsOf(reportId), answer: await read(slug) }).toEqual(before);
  expect(readLengths).toEqual([]);

  await decide(reportId, 'F-2', 'accepted_risk');
  const [row] = await rowsOf(reportId);
  expect(row).toEqual({ ...before.rows[0], version: 1 });
  const { body } = await read(slug);
  const findings = (JSON.parse(body) as { report: { findings: { id: string; status: string }[] } }).report
    .findings;
  expect(findings.map(({ id, status }) => [id, status])).toEqual([
    ['F-1', 'open'],
    ['F-2', 'accepted_risk'],
  ]);
});

test('[T30] under a policy without the list of findings, decisions change nothing that is prepared', async () => {
  const reportId = await reportWith(1);
  const counting: SharePolicy = { ...narrow, sections: { mode: 'deny_listed', ids: ['findings'] } };
  await shareOf(owner, reportId, { defaultPolicy: counting });
  const before = await rowsOf(reportId);
  await decide(reportId, 'F-1', 'false_positive');
  expect(await rowsOf(reportId)).toEqual(before);
});

test('[T30] a share shows carried-over decisions, and those made before and after it was created', async () => {
  const project = await bindProject(owner);
  const fingerprint = (digit: number) => `${digit}`.repeat(64);
  const findings = [1, 2, 3].map((number) => ({ ...findingBody(number), fingerprint: fingerprint(number) }));
  const first = await syncReport(device, { project, body: { findings } });
  await decide(first.reportId, 'F-1', 'accepted_risk');
  await decide(first.reportId, 'F-3', 'accepted_risk');
  const { reportId } = await syncReport(device, { project, body: { findings } });
  await decide(reportId, 'F-2', 'false_positive');
  const { slug, shareId } = await shareOf(owner, reportId, { defaultPolicy: narrow });
  await decide(reportId, 'F-2', 'open');
  await decide(reportId, 'F-3', 'open');
  await decide(reportId, 'F-2', 'fix_suggested');
  expect((await rowsOf(reportId))[0]?.version).toBe(4);
  // A preview is computed from the whole report, with all decisions.
  const body = { policy: narrow, principalType: 'anonymous' as const, shareId };
  const { report } = bodyOf(await owner.api.previewProjection({ params: { id: reportId }, body }));
  const answer = JSON.parse((await read(slug)).body) as { report: unknown };
  expect(answer.report).toEqual(report);
  expect(report.findings?.map(({ status }) => status)).toEqual(['accepted_risk', 'fix_suggested', 'open']);
});

test('[T30] a share created during the scan is prepared once the report is final', async () => {
  const shell = await createShell(device);
  const { slug } = await shareOf(owner, shell.reportId, { defaultPolicy: narrow });
  expect((await rowsOf(shell.reportId))[0]).toMatchObject({ blobName: null });
  const bytes = reportBytes({ localReportId: shell.localReportId, findings: shown });
  await finalizeWith(device, shell.reportId, bytes);
  expect((await read(slug)).status).toBe(200);
  expect((await rowsOf(shell.reportId))[0]?.blobName).not.toBeNull();
});

test('[T24] a changed policy, a revocation and the end of the report each delete prepared projections', async () => {
  const blobsBefore = blobFiles().length;
  const reportId = await reportWith(1);
  const { shareId, slug } = await shareOf(owner, reportId, { defaultPolicy: narrow });
  const same = await shareOf(owner, reportId, { defaultPolicy: narrow });
  const [first, ...none] = await rowsOf(reportId);
  expect(none).toEqual([]);
  await decide(reportId, 'F-1', 'accepted_risk');

  const params = { shareId };
  const other = { ...narrow, anonymize: true };
  bodyOf(await owner.api.changeShare({ params, body: { reportId, defaultPolicy: other } }));
  expect(await rowsOf(reportId)).toHaveLength(2);
  bodyOf(await owner.api.revokeShare({ params: { shareId: same.shareId }, query: { reportId } }));
  const [second, ...more] = await rowsOf(reportId);
  expect(more).toEqual([]);
  await server.service.app.uploads.settled();
  expect(fileOf(first?.blobName ?? '')).toBe('');
  expect(fileOf(second?.blobName ?? '')).not.toBe('');
  expect((await read(slug)).status).toBe(200);

  bodyOf(await owner.api.deleteReport({ params: { id: reportId } }));
  await server.service.app.uploads.settled();
  expect(await rowsOf(reportId)).toEqual([]);
  const { read: db } = server.service.database;
  const moves = await db.selectFrom('preparedStatusChanges').select('blobName').execute();
  expect(moves.map(({ blobName }) => blobName)).not.toContain(first?.blobName);
  expect(moves.map(({ blobName }) => blobName)).not.toContain(second?.blobName);
  expect(blobFiles()).toHaveLength(blobsBefore);
});

test('a share that has expired loses its prepared projection', async () => {
  const reportId = await reportWith(0);
  const { shareId } = await shareOf(owner, reportId, { defaultPolicy: narrow });
  const { read: db } = server.service.database;
  await db.updateTable('shares').set({ expiresAt: 1 }).where('id', '=', shareId).execute();
  await server.runJob('projections of ended shares');
  expect(await rowsOf(reportId)).toEqual([]);
});

test('a prepared projection is not an orphan, and is prepared again when damaged', async () => {
  const reportId = await reportWith(2);
  const { slug } = await shareOf(owner, reportId, { defaultPolicy: narrow });
  await decide(reportId, 'F-1', 'accepted_risk');
  const [row] = await rowsOf(reportId);
  for (const file of blobFiles()) utimesSync(file, 0, 0);
  await server.runJob('orphan blobs');
  expect(fileOf(row?.blobName ?? '')).not.toBe('');

  truncateSync(fileOf(row?.blobName ?? ''), 40);
  const { status, body } = await read(slug);
  expect([status, body.includes('accepted_risk')]).toEqual([200, true]);
  expect(server.logLines.some((line) => line.includes(`report ${reportId}, blob ${row?.blobName}`))).toBe(
    true,
  );
  expect((await rowsOf(reportId))[0]).toMatchObject({ blobName: null, version: 0 });
  await server.runJob('projections to prepare');
  const [again] = await rowsOf(reportId);
  expect(again).toEqual({ ...row, blobName: again?.blobName });
  expect((await read(slug)).body).toBe(body);
});

test('[T30] a decision is shown in the next read even while nothing can be prepared', async () => {
  const reportId = await reportWith(1);
  isStorageFull = true;
  try {
    const { slug } = await shareOf(owner, reportId, { defaultPolicy: narrow });
    expect((await read(slug)).body).not.toContain('accepted_risk');
    await decide(reportId, 'F-1', 'accepted_risk');
    expect((await read(slug)).body).toContain('accepted_risk');
  } finally {
    isStorageFull = false;
  }
});

test('[T30] a read shows all decisions even when its projection is replaced meanwhile', async () => {
  const reportId = await reportWith(1);
  const { shareId, slug } = await shareOf(owner, reportId, { defaultPolicy: narrow });
  await decide(reportId, 'F-1', 'accepted_risk');
  const change = async (defaultPolicy: SharePolicy) =>
    bodyOf(await owner.api.changeShare({ params: { shareId }, body: { reportId, defaultPolicy } }));
  afterReading = async () => {
    afterReading = async () => undefined;
    await change({ ...narrow, anonymize: true });
    await change(narrow);
  };
  const { status, body } = await read(slug);
  expect([status, body.includes('accepted_risk')]).toEqual([200, true]);
});

test('[D24] at most 32 policies of a report are prepared, and the others can still be read', async () => {
  const reportId = await reportWith(1);
  const principals = Array.from({ length: 33 }, (_, index) => ({
    principalValue: `guest-${index}@example.test`,
    policy: { ...narrow, findings: { mode: 'deny_listed' as const, ids: [`F-${index + 1000}`] } },
  }));
  const guest = await server.signUp({ email: 'guest-32@example.test' });
  const created = { mode: 'private' as const, anonymousAllowed: false, principals };
  const { slug } = await shareOf(owner, reportId, { ...created, defaultPolicy: narrow });
  const rows = await rowsOf(reportId);
  expect(rows).toHaveLength(32);
  expect(rows.every(({ blobName }) => blobName !== null)).toBe(true);
  const { report } = bodyOf(await guest.api.readShare({ params: { slug } }));
  expect(report.findings).toHaveLength(3);
  await decide(reportId, 'F-1', 'accepted_risk');
  const { report: decided } = bodyOf(await guest.api.readShare({ params: { slug } }));
  expect(decided.findings?.some(({ status }) => status === 'accepted_risk')).toBe(true);
});
