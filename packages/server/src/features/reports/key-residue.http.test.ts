import { bodyOf, filesHolding, postgresUrl, reportRow, startServer, syncReport } from '@svc/testkit';
import { expect, test } from 'vitest';

test.skipIf(postgresUrl !== undefined)(
  '[T24] once the sweeper has run, no file contains the key of a deleted report, even while the service runs',
  async () => {
    await using server = await startServer();
    const owner = await server.signUp();
    const { reportId } = await syncReport(await server.linkDevice(owner));
    const key = Buffer.from((await reportRow(server, reportId)).wrappedKey ?? []);
    expect(key.length).toBeGreaterThan(32);
    expect(filesHolding(server.dataDir, [key])).not.toEqual([]);
    bodyOf(await owner.api.deleteReport({ params: { id: reportId } }));
    await server.runJob('expired reports');
    expect(filesHolding(server.dataDir, [key])).toEqual([]);
  },
);
