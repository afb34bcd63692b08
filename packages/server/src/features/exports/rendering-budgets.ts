/**
 * Limits how much rendering each owner, share link and network may have running or waiting at one time, in estimated
 * processor time. Page reads and exports have separate budgets, so that exports never use up what page reads need. An
 * owner's own reads and those through their share links are also separate, so that viewers never use up what the owner
 * needs.
 */
import { AppError } from '#app-error';
import type { RenderingBudgets } from '#platform/resource-budgets';

/** A part of each budget is reserved for cheap renderings, so that costly ones cannot keep them out. */
const KEPT_FOR_CHEAP = 0.2;
/** A rendering is cheap when its cost is at most this part of the budget. */
const CHEAP_PART = 1 / 64;
const RETRY_AFTER_MS_MIN = 1000;
const RETRY_AFTER_MS_MAX = 30_000;

/** A budget of this requester is used up. The same rendering may be within another requester's budget. */
export class BudgetExceeded extends AppError {
  constructor(message: string, retryAfterMs: number) {
    super('RATE_LIMITED', { message, retryAfterMs });
  }
}

export interface RenderingSubjects {
  readonly ownerId: string;
  /** Null when the report is not read through a share link. */
  readonly shareId: string | null;
  /** Null when no network's budget counts the rendering. */
  readonly network: string | null;
}

/** Who takes turns and has a budget: an owner, or all viewers of one owner's share links. */
export function partyOf({ ownerId, shareId }: Pick<RenderingSubjects, 'ownerId' | 'shareId'>): string {
  return shareId === null ? `owner ${ownerId}` : `links of ${ownerId}`;
}

export interface InFlight {
  /**
   * Counts a rendering until the returned function is called.
   * @throws BudgetExceeded RATE_LIMITED; then the rendering is not counted.
   */
  enter(subjects: RenderingSubjects, costMs: number): () => void;
}

export function createInFlight(budgets: RenderingBudgets): InFlight {
  const costs = new Map<string, number>();

  return {
    enter(subjects, costMs) {
      const { shareId, network } = subjects;
      const counted: [key: string, budgetMs: number][] = [[partyOf(subjects), budgets.ownerMs]];
      if (shareId !== null) counted.push([`link ${shareId}`, budgets.linkMs]);
      if (network !== null) counted.push([`network ${network}`, budgets.networkMs]);
      for (const [key, budgetMs] of counted) {
        const inFlightMs = costs.get(key) ?? 0;
        const isCheap = costMs <= budgetMs * CHEAP_PART;
        const excessMs = inFlightMs + costMs - budgetMs * (isCheap ? 1 : 1 - KEPT_FOR_CHEAP);
        // A single rendering is always admitted, so that every accepted report can be read.
        if (inFlightMs === 0 || excessMs <= 0) continue;
        throw new BudgetExceeded(
          'Too many reports are being prepared for you. Try again in a few seconds.',
          Math.ceil(Math.min(RETRY_AFTER_MS_MAX, Math.max(RETRY_AFTER_MS_MIN, excessMs))),
        );
      }
      for (const [key] of counted) costs.set(key, (costs.get(key) ?? 0) + costMs);
      let left = false;
      return () => {
        if (left) return;
        left = true;
        for (const [key] of counted) {
          const others = (costs.get(key) ?? 0) - costMs;
          if (others > 0) costs.set(key, others);
          else costs.delete(key);
        }
      };
    },
  };
}
