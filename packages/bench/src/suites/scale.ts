/** P11: an operation of one user costs the same, regardless of the number of other users. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startPostgresServer, startServiceProcess, type ServiceProcess } from '@svc/testkit';
import pg from 'pg';
import { reserveHugePages } from '../harness/huge-pages.ts';
import { load, type LoadResult } from '../harness/load.ts';
import type { Result, Suite, SuiteOptions } from '../harness/result.ts';
import { interleave, medianOf, ratios, type Compared } from '../harness/rounds.ts';
import { median } from '../harness/statistics.ts';
import { ACTIVE, environmentOf, fillDatabase, type ScaleOptions } from './scale-data.ts';
import { measureFinalize } from './scale-finalize.ts';
import { readsOfFinalized, readsOfTables, shareReports, type Read, type ReadScene } from './scale-reads.ts';
import { measureSweeper } from './scale-sweeper.ts';

const RATIO_MIN = 0.9;
const CONNECTIONS = 16;
const FEW = 1000;
const MANY = 1_000_000;
const MANY_IN_SMOKE = 1500;
/**
 * A quarter of 8 GiB, as PostgreSQL's manual recommends. The default of 128 MB holds less than the pages of active
 * people.
 */
const SHARED_BUFFERS_MIB = 2048;
/** Beside the buffers, the shared memory holds locks, the log's buffers and the state of connections. */
const SHARED_MEMORY_MIB = SHARED_BUFFERS_MIB + 256;
/**
 * Each of PostgreSQL's processes maps a page of the shared memory when it first reads it. With small pages, that takes
 * longer than the reading. After this time all of them have mapped the pages of active people, as in a server that has
 * run for a day.
 */
const POSTGRES_WARM_UP_MS = 20_000;

export const scaleSuite: Suite = {
  name: 'scale',
  async run(options) {
    const folder = await mkdtemp(path.join(tmpdir(), 'svc-bench-scale-'));
    const few = { dataDir: path.join(folder, 'few'), people: FEW };
    const many = { dataDir: path.join(folder, 'many'), people: manyIn(options) };
    try {
      const results = await fillAndMeasure(many, few, { ...options, suffix: '', warmUpMs: 0 });
      const swept = await measureSweeper(many, few, options);
      const sweep = 'sweep per lapsed reservation';
      return [
        ...results,
        scaleResult(sweep, swept, (itemsPerSecond) => itemsPerSecond, floorOf(many, few), {}),
      ];
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
};

/** The same measurements on PostgreSQL, with report bodies in files. */
export const scalePostgresSuite: Suite = {
  name: 'scale-postgres',
  async run(options) {
    const folder = await mkdtemp(path.join(tmpdir(), 'svc-bench-scale-'));
    await using hugePages = await reserveHugePages(options.smoke ? 0 : SHARED_MEMORY_MIB);
    const postgres = await startPostgresServer({
      durable: false,
      // The default holds what a smoke run reads.
      ...(options.smoke ? {} : { sharedBuffers: `${SHARED_BUFFERS_MIB}MB` }),
    });
    try {
      const placeOf = async (name: string, people: number): Promise<ScaleOptions> => ({
        dataDir: path.join(folder, name),
        people,
        databaseUrl: await createDatabase(postgres.url, name),
      });
      return await fillAndMeasure(await placeOf('many', manyIn(options)), await placeOf('few', FEW), {
        ...options,
        suffix: hugePages.areReserved ? ' on PostgreSQL' : ' on PostgreSQL without huge pages',
        warmUpMs: options.smoke ? 0 : POSTGRES_WARM_UP_MS,
      });
    } finally {
      await postgres.remove();
      await rm(folder, { recursive: true, force: true });
    }
  },
};

const manyIn = ({ smoke }: SuiteOptions) => (smoke ? MANY_IN_SMOKE : MANY);
const floorOf = (many: ScaleOptions, few: ScaleOptions) =>
  `${many.people} records per table, compared with ${few.people}`;

async function createDatabase(server: string, name: string): Promise<string> {
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  await client.query(`CREATE DATABASE ${name}`);
  await client.end();
  return Object.assign(new URL(server), { pathname: `/${name}` }).href;
}

interface ScaleMeasurement extends SuiteOptions {
  /** Comes after the name of each figure. */
  readonly suffix: string;
  /** How long each read is sent to each service before it is measured. */
  readonly warmUpMs: number;
}

async function fillAndMeasure(
  ofMany: ScaleOptions,
  ofFew: ScaleOptions,
  options: ScaleMeasurement,
): Promise<Result[]> {
  await fillDatabase(ofFew);
  await fillDatabase(ofMany);
  const start = (of: ScaleOptions) =>
    startServiceProcess({
      program: 'bundle',
      dataDir: of.dataDir,
      generousPlans: true,
      environment: environmentOf(of),
    });
  const many = await start(ofMany);
  const few = await start(ofFew);
  try {
    const stages = (finalized?: { ofMany: Finalized; ofFew: Finalized }): readonly [Stage, Stage] => [
      [many, { people: ofMany.people, finalized: finalized?.ofMany ?? [] }],
      [few, { people: ofFew.people, finalized: finalized?.ofFew ?? [] }],
    ];
    const floor = floorOf(ofMany, ofFew);
    const tables = await measureReads(readsOfTables, stages(), floor, options);
    const isWarmedUp = options.warmUpMs > 0;
    const finalize = await measureFinalize([many, ofMany], [few, ofFew], { ...options, isWarmedUp });
    const finalized = {
      ofMany: await shareReports(many, ofMany, finalize.reportsOfMany),
      ofFew: await shareReports(few, ofFew, finalize.reportsOfFew),
    };
    const reads = await measureReads(readsOfFinalized, stages(finalized), floor, options);
    const name = `finalize${options.suffix}`;
    const { compared } = finalize;
    return [
      ...tables,
      scaleResult(name, compared, ({ perSecond }) => perSecond, floor, detailsOf(compared)),
      ...reads,
    ];
  } finally {
    await many.stop();
    await few.stop();
  }
}

type Finalized = ReadScene['finalized'];
type Stage = readonly [ServiceProcess, ReadScene];

async function measureReads(
  reads: Readonly<Record<string, Read>>,
  [many, few]: readonly [Stage, Stage],
  floor: string,
  { smoke, suffix, warmUpMs }: ScaleMeasurement,
): Promise<Result[]> {
  const results: Result[] = [];
  for (const [name, read] of Object.entries(reads)) {
    const send = ([service, scene]: Stage, durationMs: number) =>
      load({
        url: service.url,
        pid: service.pid,
        connections: CONNECTIONS,
        durationMs,
        request: (index) => read(index % ACTIVE, scene),
      });
    if (warmUpMs > 0) {
      await send(many, warmUpMs);
      await send(few, warmUpMs);
    }
    const durationMs = smoke ? 60 : 2000;
    const compared = await interleave(
      smoke ? 1 : 9,
      () => send(many, durationMs),
      () => send(few, durationMs),
    );
    const speed = ({ perSecond }: LoadResult) => perSecond;
    results.push(scaleResult(name + suffix, compared, speed, floor, detailsOf(compared)));
  }
  return results;
}

function detailsOf({ a, b }: Compared<LoadResult>): Result['details'] {
  return {
    perSecond: medianOf(a, ({ perSecond }) => perSecond),
    fewPerSecond: medianOf(b, ({ perSecond }) => perSecond),
    p99Ms: medianOf(a, ({ p99Ms }) => p99Ms),
    fewP99Ms: medianOf(b, ({ p99Ms }) => p99Ms),
    processorUs: medianOf(a, ({ processorUsEach }) => processorUsEach),
    fewProcessorUs: medianOf(b, ({ processorUsEach }) => processorUsEach),
    processorRatio: median(ratios({ a: b, b: a }, ({ processorUsEach }) => processorUsEach)),
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
