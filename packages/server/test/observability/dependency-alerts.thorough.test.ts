/** Faults of the database, Redis and a bucket, each with the alerts that a real Prometheus then fires. */
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import {
  createShell,
  startPostgresServer,
  syncReport,
  type PostgresServer,
  type SessionActor,
} from '@svc/testkit';
import { cephMissing, startCephServer } from '@svc/testkit/ceph-server';
import { startFaultyProxy } from '@svc/testkit/faulty-proxy';
import { prometheusMissing } from '@svc/testkit/prometheus-server';
import { redisMissing, startRedisServer, type RedisServer } from '@svc/testkit/redis-server';
import type { ServiceProcess } from '@svc/testkit/service-process';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { alertsDuring, pause, PATIENT, startWatchable, UNHURRIED, watch, whileRepeating } from './watched.ts';

describe.skipIf(prometheusMissing() || redisMissing())('alerts about two replicas', () => {
  let postgres: PostgresServer;
  let redis: RedisServer;
  const replicas: ServiceProcess[] = [];
  let owner: SessionActor;

  beforeAll(async () => {
    postgres = await startPostgresServer({ durable: false });
    redis = await startRedisServer();
    const environment = {
      DATABASE_URL: postgres.url,
      REDIS_URL: redis.url,
      SVC_MASTER_KEY: randomBytes(32).toString('base64'),
    };
    for (let count = 0; count < 2; count += 1) replicas.push(await startWatchable({ environment }));
    owner = await first().signUp();
  });
  afterAll(async () => {
    await Promise.all(replicas.map((replica) => replica.stop()));
    await redis?.remove();
    await postgres?.remove();
  });

  const first = () => replicas[0] as ServiceProcess;

  test('nothing fires in ordinary use; SvcReplicaMissing fires when one replica is gone', async () => {
    await using prometheus = await watch(replicas, UNHURRIED);
    expect(
      await alertsDuring(prometheus, async () => {
        await createShell(await first().linkDevice(owner));
      }),
    ).toEqual([]);
    replicas[1]?.signal('SIGKILL');
    expect(await prometheus.outcomeOf('SvcReplicaMissing')).toBe('fires');
  });

  test('SvcDependencyDown, SvcDependencyErrors and SvcErrors fire without Redis', async () => {
    await using prometheus = await watch([first()]);
    await redis.kill();
    const logIn = () =>
      first().anonymous.post('/auth/login', { email: 'someone@example.test', password: 'a wrong password' });
    await whileRepeating(logIn, { parallel: 4, everyMs: 100 }, async () => {
      expect(await prometheus.outcomeOf('SvcDependencyDown', { dependency: 'counters' })).toBe('fires');
      expect(await prometheus.outcomeOf('SvcDependencyErrors', { dependency: 'counters' })).toBe('fires');
      expect(await prometheus.outcomeOf('SvcErrors')).toBe('fires');
    });
    await redis.start();
  });

  test('SvcDatabaseSaturated, SvcDependencySlow and SvcSlow fire while another program locks a table', async () => {
    const locker = new pg.Client({ connectionString: postgres.url });
    await locker.connect();
    await using prometheus = await watch([first()], PATIENT);
    const lock = async () => {
      await locker.query('begin; lock table sessions in access exclusive mode');
      await pause(2200);
      await locker.query('commit');
    };
    const read = () => owner.fetch('/api/v1/workspaces');
    await whileRepeating(read, { parallel: 60 }, () =>
      whileRepeating(lock, { parallel: 1 }, async () => {
        expect(await prometheus.outcomeOf('SvcDatabaseSaturated', {}, 180_000)).toBe('fires');
        expect(await prometheus.outcomeOf('SvcDependencySlow', { dependency: 'database' }, 180_000)).toBe(
          'fires',
        );
        expect(await prometheus.outcomeOf('SvcSlow', {}, 180_000)).toBe('fires');
      }),
    );
    await locker.end();
  });

  test('SvcDependencyDown, SvcErrors, SvcJobFailing and SvcJobStale fire when the database stops', async () => {
    // Jobs run every 15 seconds or more, so their durations are scaled less.
    const factors = { SvcJobFailing: 10, SvcJobStale: 180 };
    await using prometheus = await watch([first()], { factors });
    // Waits for the successes that later become too old.
    await pause(20_000);
    await postgres.halt();
    const read = () => owner.fetch('/api/v1/workspaces');
    await whileRepeating(read, { parallel: 2, everyMs: 100 }, async () => {
      expect(await prometheus.outcomeOf('SvcDependencyDown', { dependency: 'database' })).toBe('fires');
      expect(await prometheus.outcomeOf('SvcErrors')).toBe('fires');
      expect(await prometheus.outcomeOf('SvcDependencyErrors', { dependency: 'database' })).toBe('fires');
      expect(await prometheus.outcomeOf('SvcJobFailing', {}, 180_000)).toBe('fires');
      expect(await prometheus.outcomeOf('SvcJobStale', {}, 180_000)).toBe('fires');
    });
    await postgres.resume();
  });
});

describe.skipIf(prometheusMissing() || cephMissing)('alerts about a bucket', () => {
  test('SvcDependencyDown, SvcDependencyErrors and SvcErrors fire when the store answers with errors', async () => {
    const ceph = await startCephServer();
    try {
      await ceph.makeBucket('reports');
      const proxy = await startFaultyProxy(ceph.url);
      const { accessKeyId, secretAccessKey } = ceph.credentials;
      await using service = await startWatchable({
        environment: {
          BLOB_URL: `s3://reports/alerts?endpoint=${proxy.url}`,
          AWS_ACCESS_KEY_ID: accessKeyId,
          AWS_SECRET_ACCESS_KEY: secretAccessKey,
        },
      });
      await using prometheus = await watch([service], PATIENT);
      const owner = await service.signUp();
      const { reportId } = await syncReport(await service.linkDevice(owner));
      proxy.fail({ status: 503, code: 'SlowDown' });
      const read = () => owner.fetch(`/api/v1/reports/${reportId}`);
      await whileRepeating(read, { parallel: 4, everyMs: 100 }, async () => {
        expect(await prometheus.outcomeOf('SvcDependencyDown', { dependency: 'blobs' })).toBe('fires');
        expect(await prometheus.outcomeOf('SvcDependencyErrors', { dependency: 'blobs' })).toBe('fires');
        expect(await prometheus.outcomeOf('SvcErrors')).toBe('fires');
      });
      await proxy.close();
    } finally {
      await ceph.remove();
    }
  });
});
