/** What is kept of findings outside the sealed text of reports: nothing that anyone could read, or hold a guess against. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  bindProject,
  bodyOf,
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

/** Three reports of one finding, with a decision that was carried and another that was made since. */
async function live(server: TestServer) {
  const owner = await server.signUp();
  const device = await server.linkDevice(owner);
  const project = await bindProject(owner);
  const synced = async (into: BoundProject) =>
    (await syncReport(device, { project: into, body: { findings: [finding, findingBody(2)] } })).reportId;
  const first = await synced(project);
  const move = async (id: string, status: 'accepted_risk' | 'fix_suggested') =>
    bodyOf(await owner.api.changeFindingStatus({ params: { id, findingId: 'F-1' }, body: { status } }));
  await move(first, 'accepted_risk');
  const second = await synced(project);
  await move(second, 'fix_suggested');
  const elsewhere = await bindProject(owner);
  await synced(elsewhere);
  bodyOf(await owner.api.compareReports({ params: { id: second }, query: { with: first } }));
  return { owner, project, elsewhere, reports: [first, second] };
}

/** In every form in which a text or a digest could be kept. */
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

function filesWith(server: TestServer, wanted: readonly Buffer[]): string[] {
  return readdirSync(server.dataDir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => {
      const bytes = readFileSync(file);
      return wanted.some((part) => bytes.includes(part));
    });
}

async function columnsOf(server: TestServer): Promise<string[]> {
  const db = server.service.database.read;
  const texts: string[] = [];
  for (const { name } of await db.introspection.getTables()) {
    const rows = await db
      .selectFrom(name as 'users')
      .selectAll()
      .execute();
    for (const value of rows.flatMap(Object.values))
      texts.push(value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : String(value));
  }
  return texts;
}

async function identitiesOf(server: TestServer, { projectId }: BoundProject): Promise<Buffer[]> {
  const rows = await server.service.database.read
    .selectFrom('findingIdentities')
    .select('identity')
    .where('projectId', '=', projectId)
    .execute();
  return rows.map(({ identity }) => Buffer.from(identity));
}

test('[D6] no column of any table and no line of the log holds a word or a fingerprint of a finding', async () => {
  await using server = await startServer();
  const { reports } = await live(server);
  const columns = await columnsOf(server);
  expect(columns, 'the search can find').toContain(reports[0]);
  for (const kept of [columns.join('\n'), server.logLines.join('\n')])
    expect(spellings.filter((spelling) => kept.toLowerCase().includes(spelling.toLowerCase()))).toEqual([]);
});

test.skipIf(postgresUrl !== undefined)('[D6] nor does any file (SQLite only)', async () => {
  await using server = await startServer();
  const { project } = await live(server);
  expect(filesWith(server, await identitiesOf(server, project)), 'the search can find').not.toEqual([]);
  expect(
    filesWith(
      server,
      spellings.map((spelling) => Buffer.from(spelling, 'latin1')),
    ),
  ).toEqual([]);
});

test('[D6] two projects with the same findings have nothing in common', async () => {
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

test('[T24] what a report had goes with it: its marks and what was decided in it', async () => {
  await using server = await startServer();
  const { owner, reports, project } = await live(server);
  const db = server.service.database.read;
  const marksOf = async () =>
    (
      await db.selectFrom('uploads').select('findingMarks').where('reportId', 'in', reports).execute()
    ).flatMap(({ findingMarks }) => (findingMarks === null ? [] : Buffer.from(findingMarks)));
  const movesOf = () => db.selectFrom('findingMoves').selectAll().where('reportId', 'in', reports).execute();
  const marks = await marksOf();
  expect([marks.length, (await movesOf()).length]).toEqual([2, 2]);
  const [known] = await identitiesOf(server, project);
  for (const id of reports) bodyOf(await owner.api.deleteReport({ params: { id } }));
  expect([await marksOf(), await movesOf()]).toEqual([[], []]);
  await server.service.app.jobs.find(({ name }) => name === 'expired reports')?.run();
  const inFiles = filesWith(server, marks);
  expect(inFiles).toEqual([]);
  // What the project knows stays, for its next report.
  expect(await identitiesOf(server, project)).toContainEqual(known);
});

test.skipIf(postgresUrl !== undefined)(
  '[T24] what a project knows goes with it, out of every file (SQLite only)',
  async () => {
    await using server = await startServer();
    const { owner, project } = await live(server);
    const identities = await identitiesOf(server, project);
    expect(filesWith(server, identities)).not.toEqual([]);
    bodyOf(await owner.api.deleteProject({ params: { id: project.projectId } }));
    await server.service.app.jobs.find(({ name }) => name === 'expired reports')?.run();
    expect(filesWith(server, identities)).toEqual([]);
  },
);
