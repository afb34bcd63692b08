/**
 * A disk that rejects writes: full, failing for a while, or broken. In all cases the service serves reads, rejects
 * writes without charging for them, and recovers with the disk.
 */
import { closeSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { diskImagesMissing, makeDiskImage, type DiskImage, type ServiceProcess } from '@svc/testkit';
import { attempt, inWords } from './attempt.ts';
import { auditDatabaseFile, auditPerson } from './books.ts';
import { auditContents } from './contents.ts';
import type { Fault, FaultOptions } from './fault.ts';
import { browserOf, createPerson, newReport, type Person } from './people.ts';
import { mustTake, stepsLeft, take } from './steps.ts';
import { trace, whyNotTraceable } from './strace.ts';
import { until } from './until.ts';
import { endServices, startService } from './service.ts';

const BODY_BYTES = 150_000;
const NOTICED_WITHIN_MS = 5000;
const RECOVERED_WITHIN_MS = 5000;
/** The database's log file may have space for a few more commits, so the first writes on a full disk can succeed. */
const WRITES_MAX = 500;
const FAILING_CALLS = ['pwrite64', 'rename', 'renameat', 'renameat2', 'mkdir', 'fsync', 'fdatasync'];

export const diskFault: Fault = {
  name: 'disk',
  async run(options) {
    if (diskImagesMissing) return { skipped: 'separate disks need Linux and its root user' };
    const folder = await mkdtemp(join(tmpdir(), 'svc-faults-disk-'));
    const disk = makeDiskImage(folder, 'disk');
    try {
      return await failDisk(disk, options);
    } finally {
      await endServices();
      disk.unmount();
      await rm(folder, { recursive: true, force: true });
    }
  },
};

interface Scene {
  service: ServiceProcess;
  readonly person: Person;
  readonly problems: string[];
  readonly details: Record<string, number>;
}

async function failDisk(disk: DiskImage, { program }: FaultOptions) {
  const dataDir = join(disk.path, 'data');
  mkdirSync(dataDir, { mode: 0o700 });
  const start = () => startService({ dataDir, program });
  const service = await start();
  const person = await createPerson(service);
  const scene: Scene = { service, person, problems: [], details: {} };
  const kept = newReport(person, BODY_BYTES);
  await mustTake(stepsLeft(kept), { actors: service, person, report: kept });

  const filler = join(disk.path, 'filler');
  await outage(
    scene,
    'full',
    () => fill(filler),
    () => rmSync(filler),
  );
  if (whyNotTraceable() === null) {
    const begin = () =>
      trace(service.pid, 'all', FAILING_CALLS, { calls: FAILING_CALLS, effect: 'error=EROFS' });
    await outage(scene, 'readOnly', begin, (tracing) => tracing.detach());
  }
  await outage(
    scene,
    'broken',
    () => disk.breakDown(),
    async () => {
      service.signal('SIGKILL');
      await service.ended;
      disk.repair();
      scene.service = await start();
    },
  );

  scene.problems.push(...auditDatabaseFile(dataDir));
  await scene.service.stop();
  scene.problems.push(...(await auditContents(dataDir, [person])));
  return {
    checked:
      'a disk that is full, that rejects writes for a while, and whose file system breaks: ready 503, uploads and other writes 503, reads and health served, nothing charged; then it recovers, in the first two cases without help, and everything acknowledged is there',
    problems: scene.problems,
    details: scene.details,
  };
}

/** One upload declared before the fault, rejected during it, and received after it. */
async function outage<Given>(
  scene: Scene,
  name: string,
  begin: () => Given,
  end: (given: Awaited<Given>) => unknown,
): Promise<void> {
  const { person, problems, details } = scene;
  const complain = (problem: string) => problems.push(`${name}: ${problem}`);
  const report = newReport(person, BODY_BYTES);
  await mustTake(['create', 'intent'], { actors: scene.service, person, report });

  const given = await begin();
  const isReady = async () => (await scene.service.anonymous.api.getReady()).status === 200;
  const noticedMs = await until(NOTICED_WITHIN_MS, async () => !(await isReady()));
  if (noticedMs === null) complain('GET /ready does not report the fault');
  const put = await take('put', { actors: scene.service, person, report });
  if (inWords(put) !== '503 INTERNAL')
    complain(`the upload was ${inWords(put)}\n      ${scene.service.output().slice(-800)}`);
  const written = await writeUntilRejected(scene, name);
  if (written !== '503 INTERNAL') complain(`a write was ${written}`);
  if ((await scene.service.anonymous.api.getHealth()).status !== 200)
    complain('GET /health does not return 200');
  for (const problem of await auditPerson(scene.service, person)) complain(`meanwhile ${problem}`);

  await end(given);
  const recoveredMs = await until(RECOVERED_WITHIN_MS, isReady);
  if (recoveredMs === null) complain('the service does not recover');
  details[`${name}RecoveredMs`] = Math.round(recoveredMs ?? Number.NaN);
  const subject = { actors: scene.service, person, report };
  const again = await take('put', subject);
  if (again.kind !== 'done') complain(`the repeated upload was ${inWords(again)}`);
  else await mustTake(stepsLeft(report), subject);
  for (const problem of await auditPerson(scene.service, person)) complain(`afterwards ${problem}`);
}

/** The result of the first failed write, or that none failed. */
async function writeUntilRejected({ service, person }: Scene, name: string): Promise<string> {
  for (let number = 0; number < WRITES_MAX; number += 1) {
    const body = { name: `${name} ${number}` };
    const came = await attempt((signal) => browserOf(service, person).api.createWorkspace({ body, signal }));
    if (came.kind !== 'done') return inWords(came);
  }
  return 'successful each time';
}

function fill(file: string): void {
  const descriptor = openSync(file, 'w');
  try {
    for (let sizeBytes = 1024 * 1024; sizeBytes >= 1; sizeBytes = Math.floor(sizeBytes / 4)) {
      const block = Buffer.alloc(sizeBytes, 1);
      try {
        while (writeSync(descriptor, block) > 0);
      } catch (error) {
        if ((error as { code?: string }).code !== 'ENOSPC') throw error;
      }
    }
  } finally {
    closeSync(descriptor);
  }
}
