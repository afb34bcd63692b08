/**
 * Checks again whether streams may continue: at each hint that this may have changed, and at every heartbeat.
 *
 * Checks are collected, and each is queried once for all of its streams. While the database is unreachable, nothing can
 * change in it, so streams continue and their checks are repeated. A stream whose check fails for too long ends.
 */
import { limits } from '@svc/contract';
import { AppError } from '#app-error';
import type { Stream } from './stream.ts';

const ASKED_AT_ONCE = 64;
/** For how many rounds of the wheel, two a second, a check may have no result. */
const UNANSWERED_MAX = (2 * limits.streamHeartbeatMs) / 1000;

export interface Access {
  /** The open sessions among these, each with the time at which it ends. */
  readonly findOpenSessions: (sessionIds: readonly string[]) => Promise<ReadonlyMap<string, number>>;
  /** @throws AppError when the user may not read the report. */
  readonly requireReport: (needs: 'readable', userId: string, reportId: string) => Promise<unknown>;
}

export class AccessChecks {
  readonly #access: Access;
  readonly #onError: (error: unknown) => void;
  readonly #waiting = new Set<Stream>();
  readonly #unanswered = new Map<Stream, number>();
  #isAsking = false;

  constructor(access: Access, onError: (error: unknown) => void) {
    this.#access = access;
    this.#onError = onError;
  }

  ask(stream: Stream): void {
    stream.isSuspect = true;
    this.#waiting.add(stream);
    if (this.#isAsking) return;
    this.#isAsking = true;
    void this.#askAll();
  }

  /** Repeats the checks that had no result. */
  retry(): void {
    for (const [stream, times] of this.#unanswered) {
      if (stream.isOver || times > UNANSWERED_MAX) {
        this.#unanswered.delete(stream);
        stream.revoke();
      } else this.ask(stream);
    }
  }

  forget(stream: Stream): void {
    this.#waiting.delete(stream);
    this.#unanswered.delete(stream);
  }

  async #askAll(): Promise<void> {
    while (this.#waiting.size > 0) {
      const batch = [...this.#waiting].slice(0, ASKED_AT_ONCE);
      for (const stream of batch) this.#waiting.delete(stream);
      try {
        await this.#look(batch);
        for (const stream of batch) this.#unanswered.delete(stream);
      } catch (error) {
        this.#onError(error);
        for (const stream of batch) this.#unanswered.set(stream, (this.#unanswered.get(stream) ?? 0) + 1);
      }
    }
    // Runs in the same tick in which the set was last read, so that no check is missed.
    this.#isAsking = false;
  }

  async #look(batch: readonly Stream[]): Promise<void> {
    const sessions = await this.#access.findOpenSessions([...new Set(batch.map((one) => one.sessionId))]);
    const asked = new Map<string, Promise<boolean>>();
    for (const { userId, reportId } of batch) {
      const key = `${userId} ${reportId}`;
      if (!asked.has(key)) asked.set(key, this.#mayRead(userId, reportId));
    }
    // Waits for all of them, so that no rejection is unhandled.
    await Promise.allSettled(asked.values());
    for (const stream of batch) {
      const sessionEndsAt = sessions.get(stream.sessionId);
      const mayRead = await asked.get(`${stream.userId} ${stream.reportId}`);
      if (sessionEndsAt === undefined || !mayRead) stream.revoke();
      else stream.sessionEndsAt = sessionEndsAt;
    }
  }

  async #mayRead(userId: string, reportId: string): Promise<boolean> {
    try {
      await this.#access.requireReport('readable', userId, reportId);
      return true;
    } catch (error) {
      if (error instanceof AppError) return false;
      throw error;
    }
  }
}
