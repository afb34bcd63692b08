/**
 * How much is kept of the links to one report. They are listed as a whole, and a policy can be nearly as large as a request:
 * so those that have ended make room, the oldest first, and what still works stays within a bound of its own.
 */
import { isActive, type Validity } from './policy.ts';

export interface Weighed extends Validity {
  readonly id: string;
  /** Of its policies. */
  readonly letters: number;
}

export interface Room {
  /** The links to forget, ended ones only. */
  readonly forgotten: readonly string[];
  /** Whether what is left is within the bound. */
  readonly isEnough: boolean;
}

/** Of the policies of all links to a report. */
export const LETTERS_MAX = 4 * 1024 * 1024;
/** Of the links to a report that have ended. */
export const ENDED_KEPT_MAX = 1000;

/** @param links oldest first. */
export function roomAmong(links: readonly Weighed[], now: number): Room {
  const ended = links.filter((link) => !isActive(link, now));
  let letters = links.reduce((sum, link) => sum + link.letters, 0);
  const forgotten: string[] = [];
  for (const [at, { id, letters: freed }] of ended.entries()) {
    if (letters <= LETTERS_MAX && ended.length - at <= ENDED_KEPT_MAX) break;
    forgotten.push(id);
    letters -= freed;
  }
  return { forgotten, isEnough: letters <= LETTERS_MAX };
}
