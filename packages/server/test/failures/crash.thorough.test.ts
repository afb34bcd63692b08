/** Sudden death: everything acknowledged is there after the next start. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { approveLink, exchangeLink } from '@svc/testkit/actors';
import { bodyOf } from '@svc/testkit/outcomes';
import { startServiceProcess, type ServiceProcess } from '@svc/testkit/service-process';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

const ROUNDS = 6;
const WRITERS = 4;
/** The process is killed after this many acknowledged writes, in each round. */
const KILLED_AFTER = [1, 3, 10, 40, 90, 150];

let dataDir: string;

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'svc-crash-'));
});
afterEach(() => rm(dataDir, { recursive: true, force: true }));

/** Creates workspaces until the process dies; calls `onAcknowledged` with the name of each acknowledged one. */
async function write(
  service: ServiceProcess,
  cookie: string,
  prefix: string,
  onAcknowledged: (name: string) => void,
) {
  const { api } = service.withCookie(cookie);
  for (let number = 0; service.alive(); number += 1) {
    const name = `${prefix}-${number}`;
    try {
      const outcome = await api.createWorkspace({ body: { name } });
      if (outcome.ok) onAcknowledged(name);
    } catch {
      return;
    }
  }
}

describe('kill -9 under load', () => {
  test('keeps every acknowledged write, and the next start takes less than two seconds', async () => {
    const acknowledged: string[] = [];
    let cookie = '';
    for (let round = 0; round < ROUNDS; round += 1) {
      await using service = await startServiceProcess({ dataDir, generousThrottles: true });
      if (round === 0) cookie = (await service.signUp()).cookie;
      const wanted = acknowledged.length + (KILLED_AFTER[round] ?? 1);
      const enough = Promise.withResolvers<void>();
      const onAcknowledged = (name: string) => {
        if (acknowledged.push(name) >= wanted) enough.resolve();
      };
      const writers = Array.from({ length: WRITERS }, (_, writer) =>
        write(service, cookie, `round-${round}-writer-${writer}`, onAcknowledged),
      );
      await enough.promise;
      service.signal('SIGKILL');
      expect(await service.ended).toEqual({ code: null, signal: 'SIGKILL' });
      await Promise.all(writers);
    }

    // The start is compared with one on an empty folder, which shows how busy the machine is.
    const started = await Promise.all([
      startServiceProcess({ dataDir, generousThrottles: true }),
      startServiceProcess(),
    ]);
    await using service = started[0];
    await using fresh = started[1];
    expect(service.startedInMs).toBeLessThan(Math.max(2000, 3 * fresh.startedInMs));
    const { workspaces } = bodyOf(await service.withCookie(cookie).api.listWorkspaces());
    const names = new Set(workspaces.map(({ name }) => name));
    expect(acknowledged.length).toBeGreaterThan(200);
    expect(acknowledged.filter((name) => !names.has(name))).toEqual([]);
    expect((await service.anonymous.api.getReady()).ok).toBe(true);
  }, 300_000);
});

test('a device link that was exchanged before a kill stays used, and returns no second token', async () => {
  const first = await startServiceProcess({ dataDir, generousThrottles: true });
  const owner = await first.signUp();
  const link = await first.beginLink();
  bodyOf(await approveLink(owner, link));
  const exchange = (service: ServiceProcess) => exchangeLink(service, link);
  const { deviceToken } = bodyOf(await exchange(first));
  first.signal('SIGKILL');
  expect(await first.ended).toEqual({ code: null, signal: 'SIGKILL' });

  await using second = await startServiceProcess({ dataDir, generousThrottles: true });
  expect(await exchange(second)).toMatchObject({ error: { code: 'DEVICE_LINK_ALREADY_CONSUMED' } });
  expect((await second.withDeviceToken(deviceToken).api.getCurrentDevice()).ok).toBe(true);
});
