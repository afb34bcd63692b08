/** How many events may be sent: fewer than the service accepts in any minute, so that other commands can send theirs. */
import { limits } from '@svc/contract';
import { MINUTE_MS } from '../time.ts';

const WINDOW_MS = MINUTE_MS;
const HEADROOM = 0.85;
const MOST = Math.floor(limits.progressEventsPerMinuteMax * HEADROOM);

export class EventRateLimit {
  #sent: { readonly atMs: number; readonly count: number }[] = [];

  /** How long to wait before this many can be sent. */
  waitMs(count: number, nowMs: number): number {
    this.#sent = this.#sent.filter(({ atMs }) => nowMs - atMs < WINDOW_MS);
    let used = this.#sent.reduce((sum, each) => sum + each.count, 0);
    for (const { atMs, count: before } of this.#sent) {
      if (used + count <= MOST) return 0;
      used -= before;
      if (used + count <= MOST) return atMs + WINDOW_MS - nowMs;
    }
    return 0;
  }

  spend(count: number, nowMs: number): void {
    this.#sent.push({ atMs: nowMs, count });
  }
}
