/** A real server for a test: real HTTP on a free port, a real database, real files; only the clock may be false. */
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
import { writeGenerousThrottles } from './throttles.ts';

export interface TestServerOptions {
  readonly clock?: Clock;
  readonly random?: Random;
  /** Parts of the configuration; what is left out is as the service's defaults. */
  readonly config?: Partial<Config>;
  /** Keep every budget; without it the throttles are far away, so that a test may sign up as many people as it likes. */
  readonly throttled?: boolean;
  /** Sections of THROTTLES_PATH that are to differ from the defaults. */
  readonly budgets?: object;
  /** Plans that no suite uses up, instead of the service's own. */
  readonly generousPlans?: boolean;
  /** Instead of the patience that clients are shown otherwise. */
  readonly timeouts?: Partial<Timeouts>;
  /** Around the real files, to make them fail. */
  readonly wrapBlobs?: (blobs: Blobs) => Blobs;
  /** Instead of the bounds of one export, which only a large report exceeds. */
  readonly exportBounds?: { readonly exportBytesMax?: number; readonly renderingWorkMsMax?: number };
  /** What happens again and again on streams happens when these say so. */
  readonly timers?: Timers;
  /**
   * Jobs run by themselves too, as in the service. Without it they run when a test runs them: what has expired or waits to be
   * written is then as the test left it, however long the test takes.
   */
  readonly sweeps?: boolean;
  /** At the service's own cost, for suites that look at hashes or at the time that they take. */
  readonly costlyHashing?: boolean;
  /** New passwords are judged by the dictionaries too, for suites about passwords: loading them takes half a second. */
  readonly judgedPasswords?: boolean;
}

/** The algorithm as it is, at the least that it can cost: most of what a suite needs is people, not hard passwords. */
const leastCost = { memoryKib: 8, passes: 1 };
/** Takes every password that is long enough, not common and not part of the address. */
const lenientStrength: PasswordStrength = {
  judge: () => Promise.resolve({ isGuessable: false, reason: null }),
  close: () => Promise.resolve(),
};
/** Calls that a test makes at once stand in a line for the database, which on a busy machine is longer than people wait. */
const databasePatience = { connectMs: 120_000, statementMs: 120_000 };

export interface TestServer extends Actors, AsyncDisposable {
  readonly service: Service;
  /** `http://127.0.0.1:<port>` */
  readonly url: string;
  readonly port: number;
  /** By which it tells the time. */
  readonly clock: Clock;
  readonly dataDir: string;
  /** Every line it has logged. */
  readonly logLines: string[];
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
      ...(options.throttled ? {} : { throttlesPath: await writeGenerousThrottles(dataDir, options.budgets) }),
      ...(options.generousPlans ? { plansPath: await writeGenerousPlans(dataDir) } : {}),
      ...options.config,
    };
    service = await compose(config, {
      ...(options.clock ? { clock: options.clock } : {}),
      ...(options.random ? { random: options.random } : {}),
      ...(options.timeouts ? { timeouts: options.timeouts } : {}),
      ...(options.wrapBlobs ? { wrapBlobs: options.wrapBlobs } : {}),
      ...(options.exportBounds ? { exportBounds: options.exportBounds } : {}),
      ...(options.timers ? { timers: options.timers } : {}),
      ...(options.costlyHashing ? {} : { hashingCost: leastCost }),
      ...(options.judgedPasswords ? {} : { passwordStrength: lenientStrength }),
      sweeps: options.sweeps ?? false,
      databasePatience,
      log: createLog('debug', { write: (line) => void logLines.push(line) }),
      checkAnswers: true,
      durable: false,
    });
    const port = await service.http.listen('127.0.0.1', config.port);
    const url = `http://127.0.0.1:${port}`;
    return {
      service,
      url,
      port,
      clock: options.clock ?? systemClock,
      dataDir,
      logLines,
      ...createActors(url, setupTokensIn(config.dataDir, config.platformAdminEmail)),
      close,
      [Symbol.asyncDispose]: close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}
