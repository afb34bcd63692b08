/**
 * Runs the sweeper's job for lapsed reservations in this process, because nothing outside the service reports when it
 * has finished.
 */
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { compose, type Service } from '@svc/server/compose';
import { readConfig } from '@svc/server/config';
import { createLog } from '@svc/server/ports';
import type { SuiteOptions } from '../harness/result.ts';
import { interleave, type Compared } from '../harness/rounds.ts';
import { addLapsed, countLapsed, type ScaleOptions } from './scale-data.ts';

const JOB = 'lapsed quota reservations';
/** The number of reservations that one run of the job handles. */
const LAPSED_A_ROUND = 100;

/** Returns the items per second of each round. */
export async function measureSweeper(
  many: ScaleOptions,
  few: ScaleOptions,
  { smoke }: SuiteOptions,
): Promise<Compared<number>> {
  const services: Service[] = [];
  try {
    const turns = [];
    for (const { dataDir, people } of [many, few]) {
      const config = readConfig({ DATA_DIR: dataDir, LOG_LEVEL: 'error' });
      const service = await compose(config, { log: createLog('error') });
      services.push(service);
      turns.push(() => sweepOnce(service, dataDir, people));
    }
    const [ofMany, ofFew] = turns;
    if (!ofMany || !ofFew) throw new Error('Two databases are needed.');
    return await interleave(smoke ? 3 : 31, ofMany, ofFew);
  } finally {
    for (const service of services) await service.close(0);
  }
}

async function sweepOnce({ app }: Service, dataDir: string, people: number): Promise<number> {
  const job = app.jobs.find(({ name }) => name === JOB);
  if (!job) throw new Error(`There is no job ${JSON.stringify(JOB)}.`);
  changeDatabase(dataDir, (database) => addLapsed(database, people, LAPSED_A_ROUND));
  const began = performance.now();
  await job.run();
  const seconds = (performance.now() - began) / 1000;
  const left = changeDatabase(dataDir, countLapsed);
  if (left > 0) throw new Error(`The job left ${left} of ${LAPSED_A_ROUND} lapsed reservations.`);
  return LAPSED_A_ROUND / seconds;
}

function changeDatabase<Found>(dataDir: string, change: (database: DatabaseSync) => Found): Found {
  const database = new DatabaseSync(path.join(dataDir, 'svc.db'));
  try {
    return change(database);
  } finally {
    database.close();
  }
}
