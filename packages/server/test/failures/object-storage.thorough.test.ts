/** The service on a bucket that fails and comes back. */
import {
  bodyOf,
  createShell,
  declareUpload,
  reportBytes,
  startServer,
  syncReport,
  type DeviceActor,
  type SessionActor,
  type TestServer,
} from '@svc/testkit';
import { cephMissing, startCephServer, type CephServer } from '@svc/testkit/ceph-server';
import { startFaultyProxy, type Fault, type FaultyProxy } from '@svc/testkit/faulty-proxy';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';

const faults: Fault[] = ['hang', 'lose', 'cut', { status: 503, code: 'SlowDown' }];

describe.skipIf(cephMissing)(
  'a service on a bucket (install radosgw, ceph-mon, ceph-osd, ceph-common)',
  () => {
    let ceph: CephServer;
    let proxy: FaultyProxy;
    let server: TestServer;
    let person: SessionActor;
    let device: DeviceActor;
    beforeAll(async () => {
      ceph = await startCephServer();
      await ceph.makeBucket('reports');
      proxy = await startFaultyProxy(ceph.url);
      const { credentials } = ceph;
      const bucket = { bucket: 'reports', prefix: '', endpoint: proxy.url, region: 'us-east-1', credentials };
      server = await startServer({ config: { bucket }, generousPlans: true });
      person = await server.signUp();
      device = await server.linkDevice(person);
    });
    afterEach(() => proxy?.recover());
    afterAll(async () => {
      await server?.close();
      await proxy?.close();
      await ceph?.remove();
    });

    const read = (reportId: string) => person.fetch(`/api/v1/reports/${reportId}`);
    const used = async () => bodyOf(await device.api.getSyncQuota()).daily.used;

    test.each(faults)(
      '[D6] a read during %j returns 503 with Retry-After, and 200 afterwards',
      async (fault) => {
        const { reportId } = await syncReport(device);
        proxy.fail(fault);
        const failed = await read(reportId);
        expect([failed.status, failed.headers.get('retry-after')]).toEqual([503, '5']);
        proxy.recover();
        expect((await read(reportId)).status).toBe(200);
      },
    );

    test.each(faults)(
      '[D6] an upload during %j returns 503, spends no unit, and succeeds afterwards',
      async (fault) => {
        const { reportId, localReportId } = await createShell(device);
        const bytes = reportBytes({ localReportId });
        const uploadId = await declareUpload(device, reportId, bytes);
        const before = await used();
        const fails = fault === 'cut' ? 'lose' : fault;
        proxy.fail(fails);
        expect(await device.api.uploadReport({ params: { uploadId }, bytes })).toMatchObject({ status: 503 });
        proxy.recover();
        expect(await used()).toBe(before);
        bodyOf(await device.api.uploadReport({ params: { uploadId }, bytes }));
        bodyOf(await device.api.finalizeReport({ params: { id: reportId }, body: { uploadId } }));
        expect((await read(reportId)).status).toBe(200);
      },
    );

    test('[D15] ready names the blobs while the port is closed, and recovers without a restart', async () => {
      const { reportId } = await syncReport(device);
      await proxy.halt();
      await expect
        .poll(() => server.anonymous.api.getReady())
        .toMatchObject({
          status: 503,
          body: { checks: { database: 'ok', blobs: 'failing' } },
        });
      expect((await read(reportId)).status).toBe(503);
      await proxy.resume();
      await expect.poll(() => server.anonymous.api.getReady()).toMatchObject({ status: 200 });
      expect((await read(reportId)).status).toBe(200);
    });

    test('[D6] a deletion that fails is repeated by the job', async () => {
      const { reportId } = await syncReport(device);
      proxy.fail({ status: 403, code: 'AccessDenied' });
      bodyOf(await person.api.deleteReport({ params: { id: reportId } }));
      await expect
        .poll(() => server.logLines.some((line) => line.includes('blobs not deleted yet')))
        .toBe(true);
      proxy.recover();
      await server.runJob('blobs pending deletion');
      const requests = proxy.requests();
      await server.runJob('blobs pending deletion');
      expect(requests).toBeGreaterThan(0);
      expect(proxy.requests()).toBe(requests);
    });

    test('[D6] the job for orphans deletes no blob that a report names', async () => {
      const { reportId } = await syncReport(device);
      await server.runJob('orphan blobs');
      expect((await read(reportId)).status).toBe(200);
    });

    test('a new database on a bucket that holds reports stops the start', async () => {
      await syncReport(device);
      const { credentials } = ceph;
      const bucket = { bucket: 'reports', prefix: '', endpoint: ceph.url, region: 'us-east-1', credentials };
      await expect(startServer({ config: { bucket } })).rejects.toThrow(
        /^The database is new, but s3:\/\/reports\//,
      );
    });
  },
);
