/**
 * Decides who may send a body now. Bodies are held in memory while they arrive and are checked, so the sum of their
 * sizes is bounded. Others wait unread, and beyond a limit they are rejected.
 *
 * Small bodies have a capacity of their own, so that a few slow large bodies don't delay them. In both capacities,
 * users take turns by bytes (`platform/capacity.ts`): a user with twenty uploads delays others no more than a user with
 * two.
 */
import { AppError } from '#app-error';
import { createCapacity, type CapacityBounds } from '#platform/capacity';
import { noMetrics, type Metrics } from '#platform/metrics/metrics';

const RETRY_AFTER_MS = 5000;
const WAIT_MS_MAX = 10_000;
const SMALL_BYTES_MAX = 256 * 1024;
const MIB = 1024 * 1024;

const SMALL: CapacityBounds = {
  unitsMax: 16 * MIB,
  admittedOfOneMax: 32,
  waitingOfOneMax: 64,
  waitingMax: 512,
  waitMsMax: WAIT_MS_MAX,
};
const LARGE: CapacityBounds = {
  unitsMax: 24 * MIB,
  admittedOfOneMax: 2,
  waitingOfOneMax: 6,
  waitingMax: 32,
  waitMsMax: WAIT_MS_MAX,
};

export interface Admission {
  /**
   * Waits for capacity for a body of that size, and resolves to the function that releases it.
   * @throws AppError RATE_LIMITED when too many wait, or when this body has waited too long.
   */
  enter(userId: string, sizeBytes: number): Promise<() => void>;
}

export function createAdmission(
  reportBytesMax: number,
  metrics: Pick<Metrics, 'capacity'> = noMetrics,
): Admission {
  const small = createCapacity(SMALL, busy, metrics.capacity('uploads small'));
  const large = createCapacity(
    { ...LARGE, unitsMax: Math.max(reportBytesMax, LARGE.unitsMax) },
    busy,
    metrics.capacity('uploads large'),
  );
  return {
    enter(userId, sizeBytes) {
      const capacity = sizeBytes <= SMALL_BYTES_MAX ? small : large;
      return capacity.enter({ owner: userId, cost: sizeBytes, units: sizeBytes });
    },
  };
}

function busy(): AppError {
  return new AppError('RATE_LIMITED', {
    message: 'Too many uploads are running. Try again in a few seconds.',
    retryAfterMs: RETRY_AFTER_MS,
  });
}
