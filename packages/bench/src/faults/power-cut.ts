/**
 * A power cut: everything acknowledged is in a disk image that is taken while the service is stopped and that
 * contains no unsynced writes.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { diskImagesMissing, makeDiskImage, type DiskImage } from '@svc/testkit';
import { auditDatabaseFile, auditPerson } from './books.ts';
import { createChance, type Chance } from './chance.ts';
import { auditContents } from './contents.ts';
import type { Fault, FaultOptions } from './fault.ts';
import { createPerson, newReport, type Person } from './people.ts';
import { mustTake, stepsLeft, syncSteps, take, type Subject } from './steps.ts';
import { endServices, startService } from './service.ts';

const SHORT_ROUNDS = 2;
const LONG_ROUNDS = 12;
/** Concurrent syncs, so that the power fails during some. */
const AT_ONCE = 4;
const FINAL_MIN = 6;
const BODY_BYTES_MAX = 200_000;
const STOPPED_WITHIN_MS = 5000;
const MARKER = 'gone';

export const powerCutFault: Fault = {
  name: 'power-cut',
  async run(options) {
    if (diskImagesMissing) return { skipped: 'separate disks need Linux and its root user' };
    const chance = createChance(options.seed);
    const rounds = options.short ? SHORT_ROUNDS : LONG_ROUNDS;
    const problems: string[] = [];
    let reports = 0;
    let cutShort = 0;
    for (let round = 0; round < rounds; round += 1) {
      const cut = await cutOnce(options, chance);
      problems.push(...cut.problems);
      reports += cut.reports;
      cutShort += cut.cutShort;
    }
    return {
      checked: `${rounds} images of the disk, each taken during ${AT_ONCE} parallel syncs: it has everything acknowledged, including report bodies, interrupted syncs continue, and unsynced writes are absent`,
      problems,
      details: { rounds, reports, cutShort },
    };
  },
};

async function cutOnce({ program }: FaultOptions, chance: Chance) {
  const folder = await mkdtemp(join(tmpdir(), 'svc-faults-power-'));
  const disk = makeDiskImage(folder, 'before');
  let after: DiskImage | undefined;
  try {
    await mkdir(join(disk.path, 'data'), { mode: 0o700 });
    const service = await startService({
      dataDir: join(disk.path, 'data'),
      program,
    });
    const person = await createPerson(service);
    const syncing = Array.from({ length: AT_ONCE }, () => syncOn(service, person, chance));
    while (person.reports.filter(({ finalized }) => finalized).length < FINAL_MIN)
      await new Promise(setImmediate);
    service.signal('SIGSTOP');
    await untilStopped(service.pid);
    // Proves that the image lacks unsynced writes; otherwise this test could never fail.
    writeFileSync(join(disk.path, 'unsynced'), MARKER);
    after = disk.copyAsAfterPowerCut('after');
    // What was acknowledged before the stop. Responses that have not arrived yet count as lost.
    const known = structuredClone(person);
    service.signal('SIGKILL');
    await service.ended;
    await Promise.all(syncing);
    const cutShort = known.reports.filter(({ pending }) => pending !== null).length;
    const problems = [
      ...auditHonesty(join(after.path, 'unsynced')),
      ...(await auditAfter(join(after.path, 'data'), known, program)),
    ];
    return { problems, reports: known.reports.length, cutShort };
  } finally {
    await endServices();
    disk.unmount();
    after?.unmount();
    await rm(folder, { recursive: true, force: true });
  }
}

/** A signal takes effect with a delay: threads may be syncing. */
async function untilStopped(pid: number): Promise<void> {
  const deadline = performance.now() + STOPPED_WITHIN_MS;
  const folder = `/proc/${pid}/task`;
  const runs = (thread: string) => !readFileSync(`${folder}/${thread}/stat`, 'utf8').includes(') T ');
  while (readdirSync(folder).some(runs)) {
    if (performance.now() > deadline) throw new Error('the service does not stop');
    await pause(1);
  }
}

/** Syncing another file may persist the name of this file, but not its contents. */
function auditHonesty(file: string): string[] {
  const holdsMarker = existsSync(file) && readFileSync(file, 'utf8') === MARKER;
  return holdsMarker ? ['the image contains unsynced data'] : [];
}

/** Syncs reports one after another until the service is gone. */
async function syncOn(actors: Subject['actors'], person: Person, chance: Chance): Promise<void> {
  for (;;) {
    const report = newReport(person, 3000 + chance.below(BODY_BYTES_MAX));
    for (const step of syncSteps) {
      const came = await take(step, { actors, person, report });
      if (came.kind !== 'done') return;
    }
  }
}

async function auditAfter(
  dataDir: string,
  person: Person,
  program: FaultOptions['program'],
): Promise<string[]> {
  const service = await startService({
    dataDir,
    program,
  });
  const problems = [...(await auditPerson(service, person)), ...auditDatabaseFile(dataDir)];
  for (const report of person.reports) {
    const subject = { actors: service, person, report };
    if (report.pending !== null && report.pending !== 'delete') {
      const step = syncSteps.find((name) => name === report.pending) ?? 'create';
      await mustTake([step], subject);
    }
    await mustTake(stepsLeft(report), subject);
  }
  problems.push(...(await auditPerson(service, person)));
  await service.stop();
  return [...problems, ...(await auditContents(dataDir, [person]))];
}
