/** P11: an operation of one user costs the same, regardless of the number of other users. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startServiceProcess, type ServiceProcess } from '@svc/testkit';
import { load, type LoadResult } from '../harness/load.ts';
import type { Result, Suite, SuiteOptions } from '../harness/result.ts';
import { interleave, medianOf, ratios, type Compared } from '../harness/rounds.ts';
import { median } from '../harness/statistics.ts';
import type { SentRequest } from '../harness/sender.ts';
import {
  ACTIVE,
  cookieOfActive,
  fillDatabase,
  reportOfActive,
  slugOfActive,
  type ScaleOptions,
} from './scale-data.ts';
import { measureSweeper } from './scale-sweeper.ts';

const RATIO_MIN = 0.9;
const CONNECTIONS = 16;
const FEW = 1000;
const MANY = 1_000_000;
const MANY_IN_SMOKE = 4000;

/** An active person sends the request. */
type Asked = (index: number, people: number) => SentRequest;

const signedIn = (index: number, target: string) => ({
  path: target,
  headers: { cookie: cookieOfActive(index) },
});
const linkOf = (index: number) => `/api/v1/shares/slug/${slugOfActive(index)}/report`;

const reads: Readonly<Record<string, Asked>> = {
  'quota check': (index) => signedIn(index, '/api/v1/sync-quota'),
  'session lookup': (index) => signedIn(index, '/api/v1/session'),
  "one person's projects": (index) => signedIn(index, '/api/v1/projects'),
  'report read': (index, people) => signedIn(index, `/api/v1/reports/${reportOfActive(index, people)}`),
  'share read': (index) => ({ path: linkOf(index) }),
  'share read by a named principal': (index) => signedIn((index + 1) % ACTIVE, linkOf(index)),
};

export const scaleSuite: Suite = {
  name: 'scale',
  async run(options) {
    const folder = await mkdtemp(path.join(tmpdir(), 'svc-bench-scale-'));
    const few = { dataDir: path.join(folder, 'few'), people: FEW };
    const many = {
      dataDir: path.join(folder, 'many'),
      people: options.smoke ? MANY_IN_SMOKE : MANY,
      lapsed: 0,
    };
    try {
      await fillDatabase(few);
      await fillDatabase(many);
      const floor = `${many.people} records per table, compared with ${few.people}`;
      const results = await measureReads(many, few, floor, options);
      const swept = await measureSweeper(many, few, options);
      return [
        ...results,
        scaleResult('sweep per lapsed reservation', swept, (itemsPerSecond) => itemsPerSecond, floor, {}),
      ];
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
};

async function measureReads(
  ofMany: ScaleOptions,
  ofFew: ScaleOptions,
  floor: string,
  { smoke }: SuiteOptions,
): Promise<Result[]> {
  const many = await startServiceProcess({ program: 'bundle', dataDir: ofMany.dataDir });
  const few = await startServiceProcess({ program: 'bundle', dataDir: ofFew.dataDir });
  try {
    const results: Result[] = [];
    for (const [name, asked] of Object.entries(reads)) {
      const turn =
        (service: ServiceProcess, { people }: ScaleOptions) =>
        () =>
          load({
            url: service.url,
            pid: service.pid,
            connections: CONNECTIONS,
            durationMs: smoke ? 300 : 2000,
            request: (index) => asked(index % ACTIVE, people),
          });
      const compared = await interleave(smoke ? 1 : 9, turn(many, ofMany), turn(few, ofFew));
      results.push(scaleResult(name, compared, ({ perSecond }) => perSecond, floor, detailsOf(compared)));
    }
    return results;
  } finally {
    await many.stop();
    await few.stop();
  }
}

function detailsOf({ a, b }: Compared<LoadResult>): Result['details'] {
  return {
    perSecond: medianOf(a, ({ perSecond }) => perSecond),
    fewPerSecond: medianOf(b, ({ perSecond }) => perSecond),
    p99Ms: medianOf(a, ({ p99Ms }) => p99Ms),
    fewP99Ms: medianOf(b, ({ p99Ms }) => p99Ms),
    processorUs: medianOf(a, ({ processorUsEach }) => processorUsEach),
    fewProcessorUs: medianOf(b, ({ processorUsEach }) => processorUsEach),
  };
}

function scaleResult<Measurement>(
  name: string,
  compared: Compared<Measurement>,
  speed: (measurement: Measurement) => number,
  floor: string,
  details: Result['details'],
): Result {
  const rounds = ratios(compared, speed);
  return {
    target: 'P11',
    name,
    measured: median(rounds),
    unit: '×',
    bound: { sense: 'at least', value: RATIO_MIN },
    floor,
    rounds,
    details,
  };
}
