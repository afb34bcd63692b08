/** Nobody can read what is stored of findings outside the sealed report bodies, or use it to check a guess. */
import { createHash } from 'node:crypto';
import {
  bindProject,
  bodyOf,
  columnsOf,
  filesHolding,
  findingBody,
  postgresUrl,
  startServer,
  syncReport,
  type BoundProject,
  type TestServer,
} from '@svc/testkit';
import { expect, test } from 'vitest';

const CANARY = 'canary of the findings';
const fingerprint = createHash('sha256').update('the finding at rest').digest('hex');
const finding = {
  ...findingBody(1),
  title: `${CANARY} title`,
  summary: `${CANARY} summary`,
  affected: { component: `${CANARY} component`, file: `src/${CANARY}.ts` },
  tags: [`${CANARY} tag`],
  fingerprint,
};

/**
 * Two reports of a project and one of another, all with the same finding. One decision was carried over and another
 * made later, both with notes.
 */
async function live(server: TestServer) {
  const owner = await server.signUp();
  const device = await server.linkDevice(owner);
  const project = await bindProject(owner);
  const synced = async (into: BoundProject) =>
    (await syncReport(device, { project: into, body: { findings: [finding, findingBody(2)] } })).reportId;
  const first = await synced(project);
  const move = async (id: string, status: 'accepted_risk' | 'fix_suggested') => {
    const body = { status, note: `${CANARY} note` };
    bodyOf(await owner.api.changeFindingStatus({ params: { id, findingId: 'F-1' }, body }));
  };
  await move(first, 'accepted_risk');
  const second = await synced(project);
  await move(second, 'fix_suggested');
  const elsewhere = await bindProject(owner);
  await synced(elsewhere);
  bodyOf(await owner.api.compareReports({ params: { id: second }, query: { with: first } }));
  const params = { id: project.workspaceId };
  expect(bodyOf(await owner.api.listWorkspaceFindings({ params, query: { q: CANARY } })).total).toBe(2);
  bodyOf(await owner.api.getWorkspaceTrends({ params }));
  return { owner, project, elsewhere, reports: [first, second] };
}

/** Every form in which a text or a digest could be stored. */
const spellings = [
  CANARY,
  Buffer.from(CANARY).toString('base64').slice(0, -4),
  Buffer.from(CANARY).toString('hex'),
  fingerprint,
  fingerprint.slice(0, 24),
  Buffer.from(fingerprint, 'hex').subarray(0, 12).toString('latin1'),
  Buffer.from(fingerprint, 'hex').toString('base64').slice(0, 20),
  Buffer.from(fingerprint, 'hex').toString('base64url').slice(0, 20),
];

async function identitiesOf(server: TestServer, { projectId }: BoundProject): Promise<Buffer[]> {
  const rows = await server.service.database.read
    .selectFrom('projectFindings')
    .select('identity')
    .where('projectId', '=', projectId)
    .execute();
  return rows.map(({ identity }) => Buffer.from(identity));
}

test('[D6] no column of any table and no log line contains a word or a fingerprint of a finding', async () => {
  await using server = await startServer();
  const { reports } = await live(server);
  const columns = await columnsOf(server);
  expect(columns, 'the search can find').toContain(reports[0]);
  for (const kept of [columns.join('\n'), server.logLines.join('\n')])
    expect(spellings.filter((spelling) => kept.toLowerCase().includes(spelling.toLowerCase()))).toEqual([]);
});

test.skipIf(postgresUrl !== undefined)(
  '[D6] no file contains a word or a fingerprint of a finding (SQLite only)',
  async () => {
    await using server = await startServer();
    const { project } = await live(server);
    expect(
      filesHolding(server.dataDir, await identitiesOf(server, project)),
      'the search can find',
    ).not.toEqual([]);
    const asBytes = spellings.map((spelling) => Buffer.from(spelling, 'latin1'));
    expect(filesHolding(server.dataDir, asBytes)).toEqual([]);
  },
);

test('[D6] two projects with the same findings have no digest in common', async () => {
  await using server = await startServer();
  const { project, elsewhere } = await live(server);
  const [one, other] = [await identitiesOf(server, project), await identitiesOf(server, elsewhere)];
  expect([one.length, other.length]).toEqual([2, 2]);
  const parts = (identities: readonly Buffer[]) =>
    identities.flatMap((bytes) =>
      Array.from({ length: bytes.length - 3 }, (_, at) => bytes.subarray(at, at + 4).toString('hex')),
    );
  const known = new Set(parts(one));
  expect(parts(other).filter((part) => known.has(part))).toEqual([]);
});

test('[T24] deleting a report deletes its finding snapshots and the status changes in it', async () => {
  await using server = await startServer();
  const { owner, reports, project } = await live(server);
  const db = server.service.database.read;
  const snapshotsOf = async () =>
    (
      await db.selectFrom('uploads').select('findingSnapshots').where('reportId', 'in', reports).execute()
    ).flatMap(({ findingSnapshots }) => (findingSnapshots === null ? [] : Buffer.from(findingSnapshots)));
  const movesOf = () => db.selectFrom('statusChanges').selectAll().where('reportId', 'in', reports).execute();
  const snapshots = await snapshotsOf();
  expect([snapshots.length, (await movesOf()).length]).toEqual([2, 2]);
  const [known] = await identitiesOf(server, project);
  for (const id of reports) bodyOf(await owner.api.deleteReport({ params: { id } }));
  expect([await snapshotsOf(), await movesOf()]).toEqual([[], []]);
  await server.runJob('expired reports');
  expect(filesHolding(server.dataDir, snapshots)).toEqual([]);
  // The project keeps its identities, for its next report.
  expect(await identitiesOf(server, project)).toContainEqual(known);
});

test.skipIf(postgresUrl !== undefined)(
  '[T24] deleting a project deletes its identities from every file (SQLite only)',
  async () => {
    await using server = await startServer();
    const { owner, project } = await live(server);
    const identities = await identitiesOf(server, project);
    expect(filesHolding(server.dataDir, identities)).not.toEqual([]);
    bodyOf(await owner.api.deleteProject({ params: { id: project.projectId } }));
    await server.runJob('expired reports');
    expect(filesHolding(server.dataDir, identities)).toEqual([]);
  },
);
