/** What happens to the open findings of a project, for trends. */
import { isSetAside } from '@svc/contract';
import type { Known } from './policy.ts';

/** How a change of one finding affects the open findings of its project. Most changes do not affect them. */
export type FindingEvent = 'opened' | 'fixed' | 'setAside';

/** A finding that stops being open without being set aside is fixed, unless its identity is weak. */
export function eventOf(from: Known | undefined, to: Known): FindingEvent | null {
  const wasOpen = from?.isOpen === 1;
  if (wasOpen === (to.isOpen === 1)) return null;
  if (!wasOpen) return 'opened';
  if (to.present === 1 && isSetAside(to.status)) return 'setAside';
  return to.isWeak === 0 && from.presentSeverity !== null ? 'fixed' : null;
}

/** The state whose tools an event counts for: the one in which the finding is open. */
export function countedOf(from: Known | undefined, to: Known): Known {
  return from?.isOpen === 1 ? from : to;
}

export function noEvents(): Record<FindingEvent, number> {
  return { opened: 0, fixed: 0, setAside: 0 };
}
