/** The chain under parallel work, of one replica and of two, has no fork, no gap and no duplicate. */
import { randomBytes } from 'node:crypto';
import { createIds } from '#platform/ids';
import { systemRandom } from '#platform/random';
import {
  atOnce,
  bodyOf,
  createFakeClock,
  createTestStorage,
  postgresUrl,
  shareOf,
  startServer,
  syncReport,
  type SessionActor,
  type TestServer,
  type TestStorage,
} from '@svc/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createRecorder } from './recorder.ts';
import { verifyAuditLog } from './verifier.ts';

const PARALLEL = 24;
const masterKey = randomBytes(32);
const clock = createFakeClock();
let storage: TestStorage;
let server: TestServer;
/** Starts before there are reports: a replica with another folder of blobs cannot start later. */
let replica: TestServer;

/** Starts a server on the common database. */
const startReplica = () =>
  startServer({
    clock,
    generousPlans: true,
    config: { masterKeys: [masterKey], database: storage.database },
  });

beforeAll(async () => {
  storage = await createTestStorage();
  server = await startReplica();
  replica = postgresUrl === undefined ? server : await startReplica();
});
afterAll(async () => {
  await replica.close();
  await server.close();
  await storage[Symbol.asyncDispose]();
});

const verdict = () => verifyAuditLog(server.service.database.read, null);

async function personWithReport() {
  const person = await server.signUp();
  return { person, reportId: (await syncReport(await server.linkDevice(person))).reportId };
}

async function countOf(action: 'share_created' | 'report_exported' | 'share_revoked', reportId: string) {
  const rows = await server.service.database.read
    .selectFrom('auditLog')
    .select('sequence')
    .where('action', '=', action)
    .where('reportId', '=', reportId)
    .execute();
  return rows.length;
}

/** The repeat counts of the entries about exports of the report, oldest first. */
async function exportsCounted(person: Pick<SessionActor, 'api'>, reportId: string): Promise<number[]> {
  const id = bodyOf(await person.api.listWorkspaces()).workspaces[0]?.workspaceId ?? '';
  const { entries } = bodyOf(await person.api.listWorkspaceAudit({ params: { id }, query: {} }));
  return entries
    .filter((entry) => entry.action === 'report_exported' && entry.reportId === reportId)
    .map(({ count }) => count);
}

async function exportBy(person: Pick<SessionActor, 'fetch'>, reportId: string): Promise<number> {
  const response = await person.fetch(`/api/v1/reports/${reportId}/export/json`);
  await response.arrayBuffer();
  return response.status;
}

describe('parallel work', () => {
  test('[D17] simultaneous shares, exports and sign-ups are each recorded once, in one chain', async () => {
    const { person, reportId } = await personWithReport();
    const other = await personWithReport();
    await Promise.all([
      atOnce(PARALLEL, () => shareOf(person, reportId)),
      atOnce(PARALLEL, () => shareOf(other.person, other.reportId)),
      atOnce(PARALLEL, () => exportBy(person, reportId)),
      atOnce(5, () => server.signUp()),
    ]);
    expect(await countOf('share_created', reportId)).toBe(PARALLEL);
    expect(await countOf('share_created', other.reportId)).toBe(PARALLEL);
    expect(await countOf('report_exported', reportId)).toBe(1);
    expect(await exportsCounted(person, reportId)).toEqual([PARALLEL]);
    expect(await verdict()).toMatchObject({ intact: true });
  });

  test('[D17] a share that many requests revoke simultaneously is recorded as revoked once', async () => {
    const { person, reportId } = await personWithReport();
    const { shareId } = await shareOf(person, reportId);
    const input = { params: { shareId }, query: { reportId } };
    for (const outcome of await atOnce(20, () => person.api.revokeShare(input))) bodyOf(outcome);
    expect(await countOf('share_revoked', reportId)).toBe(1);
    expect(await verdict()).toMatchObject({ intact: true });
  });
});

test('[D24] [T28] parallel transactions count a repeated fact in one entry, except those that fail', async () => {
  const { person, reportId } = await personWithReport();
  const fact = {
    action: 'finding_decided',
    actorId: person.user.userId,
    reportId,
    detail: 'open 1',
  } as const;
  const recorders = [server, replica].map(({ service: { database } }) => {
    const recorder = createRecorder({ database, clock, ids: createIds(clock, systemRandom) });
    return { database, recorder };
  });
  await Promise.all(
    recorders.flatMap(({ database, recorder }) =>
      Array.from({ length: PARALLEL }, async (_, index) => {
        const recording = database.transaction(async (tx) => {
          recorder.record(tx, fact);
          if (index % 4 === 0) throw new Error('rolled back');
        });
        await recording.catch(() => undefined);
      }),
    ),
  );
  const counts = await server.service.database.read
    .selectFrom('auditCounts')
    .innerJoin('auditLog', 'auditLog.sequence', 'auditCounts.sequence')
    .select(['action', 'count'])
    .where('reportId', '=', reportId)
    .execute();
  expect(counts).toEqual([{ action: 'finding_decided', count: 2 * PARALLEL * (3 / 4) }]);
  expect(await verdict()).toMatchObject({ intact: true });
});

test('[D24] a repeated export is counted in the same entry after a restart', async () => {
  await using own = await createTestStorage();
  const { database, dataDir } = own;
  const options = { clock, generousPlans: true, config: { database, dataDir } };
  const before = await startServer(options);
  const person = await before.signUp();
  const { reportId } = await syncReport(await before.linkDevice(person));
  for (let times = 0; times < 2; times += 1) expect(await exportBy(person, reportId)).toBe(200);
  await before.close();
  await using after = await startServer(options);
  const again = after.withCookie(person.cookie);
  expect(await exportBy(again, reportId)).toBe(200);
  expect(await exportsCounted(again, reportId)).toEqual([3]);
});

describe.skipIf(postgresUrl === undefined)('several replicas', () => {
  test('[D17] write one common chain', async () => {
    const { person, reportId } = await personWithReport();
    const elsewhere = replica.withCookie(person.cookie);
    await Promise.all(
      [person, elsewhere].map((caller) =>
        atOnce(PARALLEL, () => Promise.all([shareOf(caller, reportId), replica.signUp()])),
      ),
    );
    expect(await countOf('share_created', reportId)).toBe(2 * PARALLEL);
    expect(await verdict()).toMatchObject({ intact: true });
    expect(bodyOf(await elsewhere.api.listShares({ params: { id: reportId } })).shares).toHaveLength(
      2 * PARALLEL,
    );
  });

  test('[D24] [T28] count the exports of one actor in one entry', async () => {
    const { person, reportId } = await personWithReport();
    const fact = {
      action: 'report_exported',
      actorId: person.user.userId,
      reportId,
      detail: 'json',
    } as const;
    await Promise.all(
      [server, replica].map(({ service: { database } }) => {
        const recorder = createRecorder({ database, clock, ids: createIds(clock, systemRandom) });
        return atOnce(PARALLEL, () => recorder.recordAlone(fact));
      }),
    );
    expect(await countOf('report_exported', reportId)).toBe(1);
    const counts = await server.service.database.read.selectFrom('auditCounts').selectAll().execute();
    expect(counts.filter(({ repeatKey }) => repeatKey.includes(reportId))).toMatchObject([
      { count: 2 * PARALLEL },
    ]);
    expect(await verdict()).toMatchObject({ intact: true });
  });
});
