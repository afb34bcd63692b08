/**
 * `doctor` over a real PostgreSQL and a real bucket: beside a running service, without permissions, and with versions.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ListObjectsV2Command, PutBucketVersioningCommand, S3Client } from '@aws-sdk/client-s3';
import { startPostgresServer, startServer, syncReport, type PostgresServer } from '@svc/testkit';
import { cephMissing, startCephServer, type CephServer } from '@svc/testkit/ceph-server';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { runCommand, valueOfCommand } from '../run-command.ts';

type Environment = Readonly<Record<string, string>>;

interface Finding {
  readonly check: string;
  readonly status: string;
  readonly text: string;
}

let folder: string;
let ceph: CephServer;
let postgres: PostgresServer;
let environment: Environment;

describe.skipIf(cephMissing)(
  'the checks of stores (install radosgw, ceph-mon, ceph-osd, ceph-common)',
  () => {
    beforeAll(async () => {
      folder = await mkdtemp(path.join(tmpdir(), 'svc-doctor-'));
      [postgres, ceph] = await Promise.all([startPostgresServer({ durable: false }), startCephServer()]);
      await ceph.makeBucket('reports');
      await ceph.makeBucket('versions');
      environment = environmentOf('reports');
    }, 300_000);
    afterAll(async () => {
      await Promise.all([postgres?.remove(), ceph?.remove()]);
      await rm(folder, { recursive: true });
    });

    const environmentOf = (bucket: string, secret = ceph.credentials.secretAccessKey): Environment => ({
      DATA_DIR: path.join(folder, 'data'),
      DATABASE_URL: postgres.url,
      BLOB_URL: `s3://${bucket}/svc?endpoint=${ceph.url}`,
      AWS_ACCESS_KEY_ID: ceph.credentials.accessKeyId,
      AWS_SECRET_ACCESS_KEY: secret,
    });

    async function found(given: Environment, check: string): Promise<(readonly [string, string])[]> {
      const value = await valueOfCommand(['doctor'], given);
      return (value['findings'] as Finding[])
        .filter((finding) => finding.check === check)
        .map(({ status, text }) => [status, text]);
    }

    async function onBucket<Result>(work: (client: S3Client) => Promise<Result>): Promise<Result> {
      const client = new S3Client({
        region: 'us-east-1',
        endpoint: ceph.url,
        forcePathStyle: true,
        credentials: ceph.credentials,
      });
      try {
        return await work(client);
      } finally {
        client.destroy();
      }
    }

    async function keys(): Promise<string[]> {
      const { Contents = [] } = await onBucket((client) =>
        client.send(new ListObjectsV2Command({ Bucket: 'reports' })),
      );
      return Contents.map(({ Key = '' }) => Key).filter((key) => !key.endsWith('/.probe'));
    }

    test('find no fault beside a running service, and leave nothing in the bucket', async () => {
      const { dataDir, database, bucket } = readConfig(environment);
      await using server = await startServer({ config: { dataDir, database, bucket } });
      await syncReport(await server.linkDevice(await server.signUp()));
      const before = await keys();
      expect(before.length).toBeGreaterThanOrEqual(2);
      expect(await found(environment, 'blobs')).toEqual([
        ['ok', expect.stringMatching(/^A blob can be written and read in s3:\/\/reports\/svc/)],
        ['ok', 'The store rejects a second write of an object.'],
        ['ok', 'New blobs are listed with their time.'],
        ['ok', 'A blob can be deleted.'],
      ]);
      expect((await found(environment, 'database')).filter(([status]) => status === 'fault')).toEqual([]);
      expect(await found(environment, 'master key')).toEqual([['ok', expect.any(String)]]);
      expect(await keys()).toEqual(before);
    });

    test('report a bucket that does not exist, and wrong credentials without naming them', async () => {
      expect(await found(environmentOf('absent'), 'blobs')).toEqual([
        ['fault', expect.stringMatching(/^BLOB_URL: s3:\/\/absent\/svc.* cannot be used \(/)],
      ]);
      const { exitCode, lines } = await runCommand(['doctor'], environmentOf('reports', 'hunter2-is-wrong'));
      expect(exitCode).toBe(1);
      expect(lines.filter((line) => line.startsWith('fault'))).toEqual([
        expect.stringMatching(/blobs: BLOB_URL: .* cannot be used \(/),
      ]);
      expect(lines.join('\n')).not.toContain('hunter2');
    });

    test('report a versioned bucket, in which Ceph ignores the conditions of writes', async () => {
      const versioning = { Bucket: 'versions', VersioningConfiguration: { Status: 'Enabled' } } as const;
      await onBucket((client) => client.send(new PutBucketVersioningCommand(versioning)));
      expect(await found(environmentOf('versions'), 'blobs')).toEqual([
        ['fault', expect.stringMatching(/it ignores If-None-Match: \*, so writes can overwrite one another/)],
      ]);
    });
  },
);
