/**
 * A real server for a test: real HTTP on a free port, a real database and real files. The clock, randomness and timers
 * may be fake. Passwords are hashed at the minimum cost unless a suite asks for more.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compose, type Service } from '@svc/server/compose';
import { readConfig, type Config } from '@svc/server/config';
import {
  createLog,
  systemClock,
  type Blobs,
  type Clock,
  type Counters,
  type PasswordStrength,
  type Random,
  type Timeouts,
  type Timers,
} from '@svc/server/ports';
import { createActors, type Actors } from './actors.ts';
import { createMigratedDatabase } from './database.ts';
import { APP_ORIGIN } from './origin.ts';
import { writeGenerousPlans } from './plans.ts';
import { setupTokensIn } from './setup-token.ts';
import { testStores } from './test-stores.ts';
import { writeGenerousThrottles } from './throttles.ts';

export interface TestServerOptions {
  readonly clock?: Clock;
  readonly random?: Random;
  /** Parts of the configuration; the rest has the defaults of the service. */
  readonly config?: Partial<Config>;
  /** Keeps the real rate limits; by default they are so high that a test never reaches them. */
  readonly throttled?: boolean;
  /** Sections of THROTTLES_PATH that differ from the defaults. */
  readonly budgets?: object;
  /** Plans without limits instead of the service's own. */
  readonly generousPlans?: boolean;
  /** Replaces the default timeouts for slow clients. */
  readonly timeouts?: Partial<Timeouts>;
  /** Wraps the real blob store, to make it fail. */
  readonly wrapBlobs?: (blobs: Blobs) => Blobs;
  /** Wraps the real counters of rate limits, to make them fail. */
  readonly wrapCounters?: (counters: Counters) => Counters;
  /** The path of the CLI to serve instead of the built one. */
  readonly program?: string;
  /** Replaces the limits of one export, which only a large report exceeds. */
  readonly exportBounds?: { readonly exportBytesMax?: number; readonly renderingWorkMsMax?: number };
  /** Controls the timers of streams. */
  readonly timers?: Timers;
  /**
   * Runs jobs automatically, as the service does. By default they run only when a test runs them, so that expired and
   * pending data stays as the test left it.
   */
  readonly sweeps?: boolean;
  /** The real hashing cost, for suites about hashes or their timing. */
  readonly costlyHashing?: boolean;
  /**
   * Checks new passwords against the dictionaries too, for suites about passwords; loading them takes half a second.
   */
  readonly judgedPasswords?: boolean;
}

/** The real algorithm at its minimum cost, since most suites need accounts, not strong hashes. */
const leastCost = { memoryKib: 8, passes: 1 };
/** Accepts every password that is long enough, not common and not part of the email. */
const lenientStrength: PasswordStrength = {
  judge: () => Promise.resolve({ isGuessable: false, reason: null }),
  close: () => Promise.resolve(),
};
/** A test's concurrent calls wait for the database. On a busy machine, they wait longer than the default timeout. */
const databasePatience = { connectMs: 120_000, statementMs: 120_000 };
const redisPatience = { connectMs: 120_000, replyMs: 120_000, silenceMs: 110_000 };

export interface TestServer extends Actors, AsyncDisposable {
  readonly service: Service;
  /** `http://127.0.0.1:<port>` */
  readonly url: string;
  readonly port: number;
  /** The clock of the server. */
  readonly clock: Clock;
  readonly dataDir: string;
  /** All log lines. */
  readonly logLines: string[];
  /** Runs one of the periodic jobs of the service. */
  runJob(name: string): Promise<void>;
  close(): Promise<void>;
}

export async function startServer(options: TestServerOptions = {}): Promise<TestServer> {
  const dataDir = await mkdtemp(join(tmpdir(), 'svc-test-'));
  const database = await createMigratedDatabase(dataDir);
  const logLines: string[] = [];
  let service: Service | undefined;
  let closed = false;
  async function close(): Promise<void> {
    if (closed) return;
    closed = true;
    await service?.close(0);
    await database.drop();
    await rm(dataDir, { recursive: true, force: true });
  }
  try {
    const config: Config = {
      ...readConfig({ APP_BASE_URL: APP_ORIGIN, DATA_DIR: dataDir }),
      port: 0,
      database: database.config,
      ...testStores(options.config?.database ?? database.config),
      ...(options.throttled ? {} : { throttlesPath: await writeGenerousThrottles(dataDir, options.budgets) }),
      ...(options.generousPlans ? { plansPath: await writeGenerousPlans(dataDir) } : {}),
      ...options.config,
    };
    service = await compose(config, {
      ...(options.clock ? { clock: options.clock } : {}),
      ...(options.random ? { random: options.random } : {}),
      ...(options.timeouts ? { timeouts: options.timeouts } : {}),
      ...(options.wrapBlobs ? { wrapBlobs: options.wrapBlobs } : {}),
      ...(options.wrapCounters ? { wrapCounters: options.wrapCounters } : {}),
      ...(options.program === undefined ? {} : { program: options.program }),
      ...(options.exportBounds ? { exportBounds: options.exportBounds } : {}),
      ...(options.timers ? { timers: options.timers } : {}),
      ...(options.costlyHashing ? {} : { hashingCost: leastCost }),
      ...(options.judgedPasswords ? {} : { passwordStrength: lenientStrength }),
      sweeps: options.sweeps ?? false,
      databasePatience,
      // A test that configures Redis makes it fail, and needs the real timeouts.
      ...(options.config?.redis ? {} : { redisPatience }),
      log: createLog('debug', { write: (line) => void logLines.push(line) }),
      checkAnswers: true,
      durable: false,
    });
    const { jobs } = service.app;
    const port = await service.http.listen('127.0.0.1', config.port);
    const url = `http://127.0.0.1:${port}`;
    return {
      service,
      url,
      port,
      clock: options.clock ?? systemClock,
      dataDir,
      logLines,
      async runJob(wanted) {
        const job = jobs.find(({ name }) => name === wanted);
        if (!job) throw new Error(`There is no job "${wanted}".`);
        await job.run();
      },
      ...createActors(url, setupTokensIn(config.dataDir, config.platformAdminEmail)),
      close,
      [Symbol.asyncDispose]: close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}
