/** Faults of the process and its machine, each with the alerts that a real Prometheus then fires. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createShell, freePort, watchEvents } from '@svc/testkit';
import { diskImagesMissing, makeDiskImage } from '@svc/testkit/disk-image';
import { prometheusMissing } from '@svc/testkit/prometheus-server';
import type { ServiceProcess } from '@svc/testkit/service-process';
import { describe, expect, test } from 'vitest';
import { alertsDuring, pause, PATIENT, startWatchable, UNHURRIED, watch, whileRepeating } from './watched.ts';

const wrong = { email: 'someone@example.test', password: 'a wrong password' };
const MIB = 1024 * 1024;

describe.skipIf(prometheusMissing())('alerts about the process', () => {
  test('nothing fires in ordinary use; SvcRestarting and SvcDown fire for a service that crashes', async () => {
    const environment = { PORT: String(await freePort()) };
    let service = await startWatchable({ environment });
    try {
      await using prometheus = await watch([service], UNHURRIED);
      const owner = await service.signUp();
      expect(
        await alertsDuring(prometheus, async () => {
          await createShell(await service.linkDevice(owner));
          await owner.fetch('/api/v1/reports');
        }),
      ).toEqual([]);
      for (let restarts = 0; restarts < 3; restarts += 1) {
        service.signal('SIGKILL');
        await service.ended;
        service = await startWatchable({ environment });
        // Prometheus sees each start.
        await pause(2500);
      }
      expect(await prometheus.outcomeOf('SvcRestarting')).toBe('fires');
      service.signal('SIGKILL');
      expect(await prometheus.outcomeOf('SvcDown')).toBe('fires');
    } finally {
      await service.stop();
    }
  });

  test('SvcEventLoopBlocked fires when the main thread is blocked repeatedly', async () => {
    await using service = await startWatchable();
    await using prometheus = await watch([service], { scrapedEveryMs: 3000 });
    const stall = async () => {
      service.signal('SIGSTOP');
      await pause(800);
      service.signal('SIGCONT');
    };
    await whileRepeating(stall, { parallel: 1, everyMs: 200 }, async () => {
      expect(await prometheus.outcomeOf('SvcEventLoopBlocked')).toBe('fires');
    });
  });

  test('SvcCapacityExhausted fires for a flood of sign-ins that no rate limit stops', async () => {
    await using service = await startWatchable();
    await using prometheus = await watch([service], PATIENT);
    const logIn = () => service.anonymous.post('/auth/login', wrong);
    await whileRepeating(logIn, { parallel: 300, everyMs: 500 }, async () => {
      expect(await prometheus.outcomeOf('SvcCapacityExhausted', { capacity: 'password hashing' })).toBe(
        'fires',
      );
    });
  });

  test('SvcThrottled fires for guesses, and SvcTraceSpansLost for a collector that is down', async () => {
    await using service = await startWatchable({
      generousThrottles: false,
      environment: { OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${await freePort()}` },
    });
    await using prometheus = await watch([service], { factors: { SvcTraceSpansLost: 20 } });
    const logIn = () => service.anonymous.post('/auth/login', wrong);
    await whileRepeating(logIn, { parallel: 2, everyMs: 100 }, async () => {
      expect(await prometheus.outcomeOf('SvcThrottled', { throttle: 'loginAccount' })).toBe('fires');
      expect(await prometheus.outcomeOf('SvcTraceSpansLost')).toBe('fires');
    });
  });

  test('SvcStreamsNearLimit and SvcFilesNearLimit fire near the limits', async () => {
    await using service = await startWatchable({
      environment: { SSE_MAX_STREAMS: '5' },
      startedBy: ['prlimit', '--nofile=256:256'],
    });
    await using prometheus = await watch([service]);
    const owner = await service.signUp();
    const { reportId } = await createShell(await service.linkDevice(owner));
    const streams = await Promise.all(
      Array.from({ length: 5 }, () => watchEvents(service.url, reportId, { cookie: owner.cookie })),
    );
    expect(streams.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    expect(await prometheus.outcomeOf('SvcStreamsNearLimit')).toBe('fires');
    streams.forEach((stream) => stream.abort());
    const sockets = await holdConnections(service, 200);
    expect(await prometheus.outcomeOf('SvcFilesNearLimit')).toBe('fires');
    sockets.forEach((socket) => socket.destroy());
  });

  test.skipIf(diskImagesMissing)(
    'SvcDiskLow, SvcDiskFull and SvcErrors fire as the disk fills up',
    async () => {
      const folder = mkdtempSync(join(tmpdir(), 'svc-alerts-'));
      const disk = makeDiskImage(folder, 'disk');
      try {
        const dataDir = join(disk.path, 'data');
        mkdirSync(dataDir, { mode: 0o700 });
        await using service = await startWatchable({ dataDir });
        await using prometheus = await watch([service]);
        await service.signUp();
        fill(disk.path, 'much', 42);
        expect(await prometheus.outcomeOf('SvcDiskLow')).toBe('fires');
        fill(disk.path, 'all', Infinity);
        expect(await prometheus.outcomeOf('SvcDiskFull')).toBe('fires');
        let accounts = 0;
        const signUp = () => service.signUp({ email: `full-${(accounts += 1)}@example.test` });
        await whileRepeating(signUp, { parallel: 1, everyMs: 100 }, async () => {
          expect(await prometheus.outcomeOf('SvcErrors')).toBe('fires');
        });
      } finally {
        disk.unmount();
        rmSync(folder, { recursive: true, force: true });
      }
    },
  );
});

/** Opens connections that send nothing. */
function holdConnections({ port }: ServiceProcess, count: number): Promise<Socket[]> {
  const open = () =>
    new Promise<Socket>((resolve, reject) => {
      const socket = connect({ port, host: '127.0.0.1' });
      socket.once('connect', () => resolve(socket)).on('error', reject);
    });
  return Promise.all(Array.from({ length: count }, open));
}

/** Writes so many MiB, or as many as there is space for. */
function fill(folder: string, name: string, mib: number): void {
  try {
    for (let written = 0; written < mib; written += 1)
      writeFileSync(join(folder, name), Buffer.alloc(MIB), { flag: 'a' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
  }
}
