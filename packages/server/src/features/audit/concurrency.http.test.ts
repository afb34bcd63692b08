/** The chain under parallel work, in one process and in several: no fork, no gap, and nothing that is told twice. */
import { randomBytes } from 'node:crypto';
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

function exportBy(person: Pick<SessionActor, 'fetch'>, reportId: string): Promise<number> {
  return person.fetch(`/api/v1/reports/${reportId}/export/json`).then(async (response) => {
    await response.arrayBuffer();
    return response.status;
  });
}

describe('parallel work', { timeout: 120_000 }, () => {
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
    expect(await countOf('report_exported', reportId)).toBe(PARALLEL);
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

describe.skipIf(postgresUrl === undefined)('several replicas', { timeout: 120_000 }, () => {
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
});
