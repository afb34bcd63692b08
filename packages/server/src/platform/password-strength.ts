/**
 * Rates new passwords in a worker, so that neither its dictionaries nor a hostile password delay the service. The
 * worker starts with the first password and ends when none has come for a while, so an idle service does not hold its
 * memory.
 */
import { AppError } from '#app-error';
import { createCapacity } from './capacity.ts';
import type { PasswordToJudge, PasswordVerdict } from './guessable-password.ts';
import { noTelemetry, type Telemetry } from './telemetry/telemetry.ts';
import { createWorkerPool } from './worker-pool.ts';

export interface PasswordStrength {
  /** @throws AppError RATE_LIMITED when too many are waiting, INTERNAL 503 when the worker failed. */
  judge(task: PasswordToJudge): Promise<PasswordVerdict>;
  close(): Promise<void>;
}

/** The worst password takes a quarter of a second; the rest is for loading the dictionaries on a slow machine. */
const TIME_LIMIT_MS = 10_000;
/** The worker holds 50 MB and starts in a quarter of a second. New passwords come seldom. */
const IDLE_LIMIT_MS = 2000;
const HEAP_MIB_MAX = 256;
const WAITING_MAX = 63;
const BUSY_RETRY_AFTER_MS = 5000;

export function createPasswordStrength(telemetry: Telemetry = noTelemetry): PasswordStrength {
  const pool = createWorkerPool<PasswordToJudge, PasswordVerdict>({
    name: 'password strength',
    telemetry,
    file: new URL(`./password-strength-worker${extensionOf(import.meta.url)}`, import.meta.url),
    workers: 1,
    timeLimitMs: TIME_LIMIT_MS,
    idleLimitMs: IDLE_LIMIT_MS,
    heapMibMax: HEAP_MIB_MAX,
  });
  const capacity = createCapacity(
    { unitsMax: 1, waitingMax: WAITING_MAX, waitingOfOneMax: WAITING_MAX },
    busy,
    telemetry.metrics.capacity('password strength'),
  );
  return {
    judge: (task) => capacity.run({ owner: '', cost: 1 }, () => pool.run(task, [])),
    close: () => pool.close(),
  };
}

function busy(): AppError {
  return new AppError('RATE_LIMITED', {
    message: 'The service is busy. Try again in a few seconds.',
    retryAfterMs: BUSY_RETRY_AFTER_MS,
  });
}

/** The worker's file is a source or a bundle, like this one. */
function extensionOf(url: string): string {
  return url.slice(url.lastIndexOf('.'));
}
