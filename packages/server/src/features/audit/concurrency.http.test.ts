/** The chain under parallel work, in one process and in several: no fork, no gap, and nothing that is told twice. */
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createIds } from '#platform/ids';
import { systemRandom } from '#platform/random';
import {
  bodyOf,
  codeOf,
  createFakeClock,
  createTestDatabase,
  postgresUrl,
  shareOf,
  startServer,
  syncReport,
  type SessionActor,
  type TestDatabase,
  type TestServer,
} from '@svc/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createRecorder } from './recorder.ts';
import { verifyAuditLog } from './verifier.ts';

const PARALLEL = 24;
const masterKey = randomBytes(32);
const clock = createFakeClock();
let place: TestDatabase;
let server: TestServer;

beforeAll(async () => {
  place = await createTestDatabase();
  server = await startServer({ clock, generousPlans: true, config: { masterKey, database: place.config } });
});
afterAll(async () => {
  await server.close();
  await place.drop();
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

/** The counts of the entries about exports of the report, oldest first. */
async function exportsCounted(person: Pick<SessionActor, 'api'>, reportId: string): Promise<number[]> {
  const id = bodyOf(await person.api.listWorkspaces()).workspaces[0]?.workspaceId ?? '';
  const { entries } = bodyOf(await person.api.listWorkspaceAudit({ params: { id }, query: {} }));
  return entries
    .filter((entry) => entry.action === 'report_exported' && entry.reportId === reportId)
    .map(({ count }) => count);
}

function exportBy(person: Pick<SessionActor, 'fetch'>, reportId: string): Promise<number> {
  return person.fetch(`/api/v1/reports/${reportId}/export/json`).then(async (response) => {
    await response.arrayBuffer();
    return response.status;
  });
}

describe('parallel work', () => {
  test('[D17] links made, exports and sign-ups at once are each told once, in one chain', async () => {
    const { person, reportId } = await personWithReport();
    const other = await personWithReport();
    const times = Array.from({ length: PARALLEL });
    await Promise.all([
      ...times.map(() => shareOf(person, reportId)),
      ...times.map(() => shareOf(other.person, other.reportId)),
      ...times.map(() => exportBy(person, reportId)),
      ...Array.from({ length: 5 }, () => server.signUp()),
    ]);
    expect(await countOf('share_created', reportId)).toBe(PARALLEL);
    expect(await countOf('share_created', other.reportId)).toBe(PARALLEL);
    expect(await countOf('report_exported', reportId)).toBe(1);
    expect(await exportsCounted(person, reportId)).toEqual([PARALLEL]);
    expect(await verdict()).toMatchObject({ intact: true });
  });

  test('[D17] a link that many revoke at once is told to be revoked once', async () => {
    const { person, reportId } = await personWithReport();
    const { shareId } = await shareOf(person, reportId);
    const input = { params: { shareId }, query: { reportId } };
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => person.api.revokeShare(input)));
    expect(new Set(outcomes.map(codeOf))).toEqual(new Set(['ok']));
    expect(await countOf('share_revoked', reportId)).toBe(1);
    expect(await verdict()).toMatchObject({ intact: true });
  });
});

test('[D24] a repeated export is counted on the same entry after a restart', async () => {
  const { config: database, drop } = await createTestDatabase();
  const dataDir = await mkdtemp(join(tmpdir(), 'svc-test-'));
  const options = { clock, generousPlans: true, config: { masterKey, database, dataDir } };
  const before = await startServer(options);
  const person = await before.signUp();
  const { reportId } = await syncReport(await before.linkDevice(person));
  for (let times = 0; times < 2; times += 1) expect(await exportBy(person, reportId)).toBe(200);
  await before.close();
  {
    await using after = await startServer(options);
    const again = after.withCookie(person.cookie);
    expect(await exportBy(again, reportId)).toBe(200);
    expect(await exportsCounted(again, reportId)).toEqual([3]);
  }
  await drop();
  await rm(dataDir, { recursive: true });
});

describe.skipIf(postgresUrl === undefined)('several replicas', () => {
  test('[D17] write one chain between them', async () => {
    await using replica = await startServer({
      clock,
      generousPlans: true,
      config: { masterKey, database: place.config },
    });
    const { person, reportId } = await personWithReport();
    const elsewhere = replica.withCookie(person.cookie);
    await Promise.all(
      [person, elsewhere].flatMap((caller) =>
        Array.from({ length: PARALLEL }, () => Promise.all([shareOf(caller, reportId), replica.signUp()])),
      ),
    );
    expect(await countOf('share_created', reportId)).toBe(2 * PARALLEL);
    expect(await verdict()).toMatchObject({ intact: true });
    expect(bodyOf(await elsewhere.api.listShares({ params: { id: reportId } })).shares).toHaveLength(
      2 * PARALLEL,
    );
  });

  test('[D24] [T28] count the exports of one actor on one entry', async () => {
    await using replica = await startServer({
      clock,
      generousPlans: true,
      config: { masterKey, database: place.config },
    });
    const { person, reportId } = await personWithReport();
    const fact = {
      action: 'report_exported',
      actorId: person.user.userId,
      reportId,
      detail: 'json',
    } as const;
    await Promise.all(
      [server, replica].flatMap(({ service: { database } }) => {
        const recorder = createRecorder({ database, clock, ids: createIds(clock, systemRandom) });
        return Array.from({ length: PARALLEL }, () => recorder.recordRepeatable(fact));
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
