/** The calls that are made most often compile no query: each statement is compiled when it is first needed. */
import { constants, DatabaseSync } from 'node:sqlite';
import {
  bodyOf,
  bindProject,
  createFakeClock,
  createShell,
  finalizeWith,
  postgresUrl,
  progressEvents,
  reportBytes,
  sendProgress,
  shareOf,
  syncReport,
  watchEvents,
  type BoundProject,
  type DeviceActor,
  type SessionActor,
} from '@svc/testkit';
import { sharedServer } from '@svc/testkit/suite';
import { DefaultQueryCompiler } from 'kysely';
import { beforeAll, expect, test, vi } from 'vitest';

const preparing = vi.spyOn(DatabaseSync.prototype, 'prepare');
const clock = createFakeClock();
const server = sharedServer({ clock });
let owner: SessionActor;
let device: DeviceActor;
let project: BoundProject;
/** The connection of the server; on PostgreSQL there is none. */
let connection: DatabaseSync;

beforeAll(async () => {
  owner = await server.signUp();
  device = await server.linkDevice(owner);
  project = await bindProject(device);
  connection = preparing.mock.contexts.at(-1) as DatabaseSync;
});

/**
 * The statements that a call compiles when it is repeated. It is made twice before, so that the project already has
 * reports.
 */
async function compiledBy(call: () => Promise<unknown>): Promise<string[]> {
  await call();
  await call();
  const spy = vi.spyOn(DefaultQueryCompiler.prototype, 'compileQuery');
  try {
    await call();
    const compiled = spy.mock.results.map(({ value }) => (value as { sql: string }).sql);
    // Locks and hints of PostgreSQL are written as text, so compiling them costs next to nothing.
    return compiled.filter((text) => !text.startsWith('select pg_'));
  } finally {
    spy.mockRestore();
  }
}

test('the test notices compiled statements', async () => {
  expect(await compiledBy(() => owner.api.listSessions())).not.toEqual([]);
});

test('a sync compiles nothing', async () => {
  expect(await compiledBy(() => syncReport(device, { project }))).toEqual([]);
});

test('progress events compile nothing', async () => {
  const { reportId } = await createShell(device, project);
  expect(await compiledBy(() => sendProgress(device, reportId, progressEvents(clock, reportId, 25)))).toEqual(
    [],
  );
});

test('delivering progress events compiles nothing', async () => {
  const viewer = await server.signUp();
  const scanner = await server.linkDevice(viewer);
  const { reportId } = await createShell(scanner);
  const watch = await watchEvents(server.url, reportId, { cookie: viewer.cookie });
  let sent = 0;
  const deliver = async () => {
    await sendProgress(scanner, reportId, progressEvents(clock, reportId, 2));
    sent += 2;
    await watch.until(() => watch.events.filter(({ event }) => event === 'progress').length === sent);
  };
  try {
    expect(await compiledBy(deliver)).toEqual([]);
  } finally {
    watch.abort();
    await watch.untilOver();
  }
});

test('reading a report, a share and the quota compiles nothing', async () => {
  const { reportId } = await syncReport(device, { project });
  const { slug } = await shareOf(owner, reportId);
  const reads = async () => {
    bodyOf(await owner.api.getReport({ params: { id: reportId } }));
    bodyOf(await server.anonymous.api.readShare({ params: { slug } }));
    bodyOf(await device.api.getSyncQuota());
  };
  expect(await compiledBy(reads)).toEqual([]);
});

test.skipIf(postgresUrl !== undefined || !('setAuthorizer' in DatabaseSync.prototype))(
  'SQLite itself compiles none of their statements again',
  async () => {
    // With the whole quota.
    const reader = await server.signUp();
    const sender = await server.linkDevice(reader);
    const its = await bindProject(sender);
    let compiled = 0;
    // SQLite asks for permission when it compiles a statement. From now on it does so once more for each of them.
    connection.setAuthorizer(() => {
      compiled += 1;
      return constants.SQLITE_OK;
    });
    const calls = async () => {
      const { reportId, localReportId } = await createShell(sender, its);
      await sendProgress(sender, reportId, progressEvents(clock, reportId, 25));
      await finalizeWith(sender, reportId, reportBytes({ localReportId }));
      bodyOf(await reader.api.getReport({ params: { id: reportId } }));
    };
    try {
      await calls();
      expect(compiled).toBeGreaterThan(0);
      await calls();
      compiled = 0;
      await calls();
      expect(compiled).toBe(0);
    } finally {
      connection.setAuthorizer(null);
    }
  },
);
