/** Sudden death: whatever was acknowledged is there when the service is up again. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bodyOf } from '@svc/testkit/outcomes';
import { startServiceProcess, type ServiceProcess } from '@svc/testkit/service-process';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const ROUNDS = 6;
const WRITERS = 4;
/** Acknowledged writes after which the process is killed, by round: early, late and in between. */
const KILLED_AFTER = [1, 3, 10, 40, 90, 150];

let dataDir: string;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'svc-crash-'));
});
afterAll(() => rm(dataDir, { recursive: true, force: true }));

/** Writes until the process dies under it; `onAcknowledged` is told the name of each workspace that was answered with 201. */
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
  test('every acknowledged write is there after the next start, which takes less than two seconds', async () => {
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

    // Beside one on an empty folder, which tells how busy the machine is.
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
