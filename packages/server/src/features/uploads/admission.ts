/**
 * Who may send a body now. Bodies are held in memory while they come and are checked, so their sizes together are bounded;
 * the rest waits, unread, and past the bounds of waiting is told to come back.
 *
 * Small bodies have room of their own, so that a few slow large ones delay nobody else. Among those who wait the first to
 * come is the first to go, but for users who have their share already: one with twenty uploads is no worse for the others
 * than one with two.
 */
import { AppError } from '#app-error';

const RETRY_AFTER_MS = 5000;
const WAIT_MS_MAX = 10_000;
const SMALL_BYTES_MAX = 256 * 1024;
const MIB = 1024 * 1024;

interface LaneBounds {
  readonly bytesMax: number;
  readonly admittedPerUserMax: number;
  readonly waitingPerUserMax: number;
  readonly waitingMax: number;
}

const SMALL: LaneBounds = {
  bytesMax: 16 * MIB,
  admittedPerUserMax: 32,
  waitingPerUserMax: 64,
  waitingMax: 512,
};
const LARGE = { bytesMin: 24 * MIB, admittedPerUserMax: 2, waitingPerUserMax: 6, waitingMax: 32 };

export interface Admission {
  /**
   * Resolves once there is room for a body of that size, to the function that gives the room back.
   * @throws AppError RATE_LIMITED when too many wait, or there was no room for too long.
   */
  enter(userId: string, sizeBytes: number): Promise<() => void>;
}

export function createAdmission(reportBytesMax: number): Admission {
  const small = createLane(SMALL);
  const large = createLane({ ...LARGE, bytesMax: Math.max(reportBytesMax, LARGE.bytesMin) });
  return {
    enter: (userId, sizeBytes) => (sizeBytes <= SMALL_BYTES_MAX ? small : large)(userId, sizeBytes),
  };
}

interface Waiting {
  readonly userId: string;
  readonly sizeBytes: number;
  admit(): void;
}

function createLane(bounds: LaneBounds): Admission['enter'] {
  const waiting: Waiting[] = [];
  const admittedOf = new Map<string, number>();
  let bytes = 0;

  const hasShare = (userId: string) => (admittedOf.get(userId) ?? 0) >= bounds.admittedPerUserMax;
  const fits = (sizeBytes: number) => bytes + sizeBytes <= bounds.bytesMax;

  function take(userId: string, sizeBytes: number): () => void {
    bytes += sizeBytes;
    admittedOf.set(userId, (admittedOf.get(userId) ?? 0) + 1);
    let left = false;
    return () => {
      if (left) return;
      left = true;
      bytes -= sizeBytes;
      const others = (admittedOf.get(userId) ?? 0) - 1;
      if (others > 0) admittedOf.set(userId, others);
      else admittedOf.delete(userId);
      admitWaiting();
    };
  }

  /** The first that may go holds up those behind it until there is room for it: large ones get their turn. */
  function admitWaiting(): void {
    for (;;) {
      const first = waiting.find(({ userId }) => !hasShare(userId));
      if (first === undefined || !fits(first.sizeBytes)) return;
      waiting.splice(waiting.indexOf(first), 1);
      first.admit();
    }
  }

  return async (userId, sizeBytes) => {
    const isFree = !waiting.some((other) => !hasShare(other.userId));
    if (isFree && !hasShare(userId) && fits(sizeBytes)) return take(userId, sizeBytes);
    const ownWaiting = waiting.filter((other) => other.userId === userId).length;
    if (waiting.length >= bounds.waitingMax || ownWaiting >= bounds.waitingPerUserMax) throw busy();
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        waiting.splice(waiting.indexOf(entry), 1);
        reject(busy());
        // It may have been the first, with smaller ones behind it.
        admitWaiting();
      }, WAIT_MS_MAX);
      const entry: Waiting = {
        userId,
        sizeBytes,
        admit() {
          clearTimeout(timer);
          resolve(take(userId, sizeBytes));
        },
      };
      waiting.push(entry);
    });
  };
}

function busy(): AppError {
  return new AppError('RATE_LIMITED', {
    message: 'Too many uploads are under way. Try again in a few seconds.',
    retryAfterMs: RETRY_AFTER_MS,
  });
}
