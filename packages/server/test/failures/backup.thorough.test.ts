/** A backup of a service under load, the loss of its machine, and the service that is started on the backup. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { setImmediate as turn } from 'node:timers/promises';
import { bodyOf } from '@svc/testkit/outcomes';
import { startServiceProcess } from '@svc/testkit/service-process';
import { shareOf } from '@svc/testkit/shares';
import { syncReport } from '@svc/testkit/uploads';
import type { DeviceActor, SessionActor } from '@svc/testkit/actors';
import { afterAll, beforeAll, expect, test } from 'vitest';

const PROGRAM = path.join(import.meta.dirname, '../../dist/main.mjs');
const WRITERS = 3;
const ACKNOWLEDGED_BEFORE = 12;
/** A writer deletes one of this many reports right away. */
const DELETED_EVERY = 3;

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'svc-backup-'));
  await mkdir(path.join(folder, 'data'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

interface Acknowledged {
  readonly reportId: string;
  /** A canary that is only in the report's body. */
  readonly canary: string;
  readonly slug: string;
  readonly isDeleted: boolean;
}

interface Person {
  readonly owner: SessionActor;
  readonly device: DeviceActor;
}

/** Creates, shares and deletes reports until `over` is aborted, which may interrupt it at any point. */
async function write(
  over: AbortSignal,
  { owner, device }: Person,
  onAcknowledged: (report: Acknowledged) => void,
): Promise<void> {
  for (let number = 1; !over.aborted; number += 1) {
    try {
      const canary = `canary ${owner.user.userId} ${number}`;
      const { reportId } = await syncReport(device, { body: { limitations: [canary] } });
      const { slug } = await shareOf(owner, reportId);
      const isDeleted = number % DELETED_EVERY === 0;
      if (isDeleted) bodyOf(await owner.api.deleteReport({ params: { id: reportId } }));
      onAcknowledged({ reportId, canary, slug, isDeleted });
    } catch (error) {
      if (!over.aborted) throw error;
    }
  }
}

function launch(...given: string[]) {
  const environment = { PATH: process.env['PATH'], DATA_DIR: path.join(folder, 'data') };
  const child = spawn(process.execPath, [PROGRAM, ...given], {
    env: environment,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = Promise.all([text(child.stdout), once(child, 'close')]).then(([output]) => ({
    code: child.exitCode,
    output,
  }));
  return { child, ended };
}

const command = (...given: string[]) => launch(...given).ended;

const options = { generousPlans: true, generousThrottles: true } as const;

test('what was acknowledged before a backup began is in it, and is served from it after the machine is lost', async () => {
  const copy = path.join(folder, 'copy');
  const service = await startServiceProcess({ dataDir: path.join(folder, 'data'), ...options });
  const people = await Promise.all(
    Array.from({ length: WRITERS }, async () => {
      const owner = await service.signUp();
      return { owner, device: await service.linkDevice(owner) };
    }),
  );
  const acknowledged: (Acknowledged & { by: Person })[] = [];
  const enough = Promise.withResolvers<void>();
  const over = new AbortController();
  const writers = people.map((by) =>
    write(over.signal, by, (report) => {
      if (acknowledged.push({ ...report, by }) >= ACKNOWLEDGED_BEFORE) enough.resolve();
    }),
  );
  await enough.promise;
  const before = [...acknowledged];
  const made = await command('backup', copy);
  const during = acknowledged.length - before.length;
  over.abort();
  service.signal('SIGKILL');
  await Promise.all([service.ended, ...writers]);
  await rm(path.join(folder, 'data'), { recursive: true });

  expect(made).toEqual({ code: 0, output: expect.stringContaining(`The backup ${copy} is complete`) });
  expect(during).toBeGreaterThan(0);
  expect(await command('backup', 'verify', copy)).toEqual(made);
  await using restored = await startServiceProcess({ dataDir: copy, ...options });
  for (const { reportId, canary, slug, isDeleted, by } of before) {
    const read = await restored.withCookie(by.owner.cookie).api.getReport({ params: { id: reportId } });
    const shared = await restored.anonymous.api.readShare({ params: { slug } });
    const seen = [read, shared].map((outcome) =>
      outcome.ok ? outcome.body.report?.limitations : outcome.status,
    );
    expect(seen).toEqual(isDeleted ? [410, 410] : [[canary], [canary]]);
  }
  // Later reports are restored completely or not at all.
  for (const { reportId, by } of acknowledged.slice(before.length)) {
    const read = await restored.withCookie(by.owner.cookie).api.getReport({ params: { id: reportId } });
    expect([200, 404, 410]).toContain(read.status);
  }
  const [{ device }] = people as [Person];
  expect((await restored.withDeviceToken(device.deviceToken).api.getCurrentDevice()).ok).toBe(true);
  expect((await restored.anonymous.api.getReady()).ok).toBe(true);
}, 300_000);

/** A backup is killed once it has created this many entries: its folder, the database, blobs, the key. */
const KILLED_AFTER = [1, 2, 4, 8, 14, 20];
const REPORTS = 12;

test('a backup that is killed is complete or does not exist, and does not prevent another', async () => {
  await rm(path.join(folder, 'data'), { recursive: true, force: true });
  await mkdir(path.join(folder, 'data'));
  await using service = await startServiceProcess({ dataDir: path.join(folder, 'data'), ...options });
  const device = await service.linkDevice(await service.signUp());
  for (let made = 0; made < REPORTS; made += 1) await syncReport(device);
  const endings = new Set<string>();
  for (const files of KILLED_AFTER) {
    const name = `killed-${files}`;
    const { child, ended } = launch('backup', path.join(folder, name));
    while (child.exitCode === null && (await entriesOf(name)) < files) await turn();
    child.kill('SIGKILL');
    await ended;
    const isThere = existsSync(path.join(folder, name));
    endings.add(isThere ? 'whole' : 'none');
    const verified = isThere ? await command('backup', 'verify', path.join(folder, name)) : { code: 0 };
    expect(verified.code).toBe(0);
    await rm(path.join(folder, name), { recursive: true, force: true });
    expect((await command('backup', path.join(folder, name))).code).toBe(0);
  }
  expect(endings).toContain('none');
}, 300_000);

/** The number of temporary folders and files of a backup with that name. */
async function entriesOf(name: string): Promise<number> {
  const work = (await readdir(folder)).find((entry) => entry.startsWith(`${name}.new-`));
  if (work === undefined) return 0;
  const entries = await readdir(path.join(folder, work), { recursive: true }).catch(() => []);
  return entries.length + 1;
}
