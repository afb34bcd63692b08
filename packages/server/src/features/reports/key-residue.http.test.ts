import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { bindProject, bodyOf, createFakeClock, startServer, syncReport } from '@svc/testkit';
import { expect, test } from 'vitest';

const usesPostgres = process.env['SVC_TEST_DATABASE'] === 'postgres';

test.skipIf(usesPostgres)(
  '[T24] once the sweeper has run, the key of a deleted report is in no file, while the service goes on',
  async () => {
    const clock = createFakeClock();
    await using server = await startServer({ clock });
    const owner = await server.signUp();
    const device = await server.linkDevice(owner);
    const project = await bindProject(owner);
    const { reportId } = await syncReport(device, { project });
    const row = await server.service.database.read
      .selectFrom('reports')
      .select('wrappedKey')
      .where('id', '=', reportId)
      .executeTakeFirstOrThrow();
    const key = Buffer.from(row.wrappedKey ?? []);
    expect(key.length).toBeGreaterThan(32);
    const filesWithKey = () =>
      readdirSync(server.dataDir, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name))
        .filter((file) => readFileSync(file).includes(key));
    expect(filesWithKey()).not.toEqual([]);
    bodyOf(await owner.api.deleteReport({ params: { id: reportId } }));
    await server.service.app.jobs.find(({ name }) => name === 'expired reports')?.run();
    expect(filesWithKey()).toEqual([]);
  },
);
