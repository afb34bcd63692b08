/** A real PostgreSQL and a real object store for one file of tests, with empty databases and prefixes in them. */
import { randomUUID } from 'node:crypto';
import { startPostgresServer } from '@svc/testkit';
import { startCephServer } from '@svc/testkit/ceph-server';
import pg from 'pg';

export interface DistributedServers {
  /** The settings of an empty database and an empty prefix. */
  newPlaces(): Promise<
    Readonly<Record<'DATABASE_URL' | 'BLOB_URL', string>> & Readonly<Record<string, string>>
  >;
  remove(): Promise<void>;
}

export async function startDistributedServers(): Promise<DistributedServers> {
  const [postgres, ceph] = await Promise.all([startPostgresServer({ durable: false }), startCephServer()]);
  await ceph.makeBucket('reports');
  return {
    async newPlaces() {
      const name = `svc_${randomUUID().replaceAll('-', '')}`;
      const client = new pg.Client({ connectionString: postgres.url });
      await client.connect();
      try {
        await client.query(`CREATE DATABASE ${name}`);
      } finally {
        await client.end();
      }
      return {
        DATABASE_URL: Object.assign(new URL(postgres.url), { pathname: `/${name}` }).href,
        BLOB_URL: `s3://reports/${name}?endpoint=${ceph.url}`,
        AWS_ACCESS_KEY_ID: ceph.credentials.accessKeyId,
        AWS_SECRET_ACCESS_KEY: ceph.credentials.secretAccessKey,
      };
    },
    async remove() {
      await postgres.remove();
      await ceph.remove();
    },
  };
}
