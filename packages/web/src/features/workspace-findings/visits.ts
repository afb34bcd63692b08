import { browserStore } from '../../lib/browser-storage.ts';

/**
 * When this browser last showed the findings of a workspace, so that the page can mark what is new. Reloads, other tabs
 * and returns within two hours belong to one visit.
 */
interface Visit {
  /** The end of the previous visit, in milliseconds since 1970; null at the first visit. */
  readonly since: number | null;
  /** When the page was shown last. */
  readonly seenAt: number;
}

const VISIT_ENDS_AFTER_MS = 2 * 60 * 60_000;
const keyOf = (workspaceId: string) => `svc-visit-${workspaceId}` as const;

/**
 * Records that the page is shown now. Without storage, the first visit after a reload is the first of all.
 * @returns the end of the previous visit; null at the first visit.
 */
export function beginVisit(workspaceId: string, now: number): number | null {
  const last = storedVisit(workspaceId, now);
  const hasEnded = last !== null && now - last.seenAt > VISIT_ENDS_AFTER_MS;
  const since = hasEnded ? last.seenAt : (last?.since ?? null);
  extendVisit(workspaceId, since, now);
  return since;
}

/** Records that the page of this visit was shown until now. */
export function extendVisit(workspaceId: string, since: number | null, now: number): void {
  const visit: Visit = { since, seenAt: now };
  browserStore.set(keyOf(workspaceId), JSON.stringify(visit));
}

/** Null for anything that this page did not store, and for times in the future. */
function storedVisit(workspaceId: string, now: number): Visit | null {
  const isPast = (value: unknown): value is number => typeof value === 'number' && value > 0 && value <= now;
  try {
    const stored: unknown = JSON.parse(browserStore.get(keyOf(workspaceId)) ?? 'null');
    const { since = null, seenAt } = (stored ?? {}) as Partial<Record<string, unknown>>;
    return isPast(seenAt) && (since === null || isPast(since)) ? { since, seenAt } : null;
  } catch {
    return null;
  }
}
