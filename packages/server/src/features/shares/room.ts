/**
 * Limits what is stored of the shares of one report. They are listed as a whole, and a policy can be nearly as large as
 * a request. So ended shares are deleted when needed, the oldest first, and active ones have a limit of their own.
 */
import { isActive, type Validity } from './policy.ts';

export interface Weighed extends Validity {
  readonly id: string;
  /** The length of its policies. */
  readonly characters: number;
}

export interface Room {
  /** The shares to delete, only ended ones. */
  readonly forgotten: readonly string[];
  /** Whether the rest is within the limit. */
  readonly isEnough: boolean;
}

/** The limit for the policies of all shares of a report. */
export const CHARACTERS_MAX = 4 * 1024 * 1024;
/** The limit for ended shares of a report. */
export const ENDED_KEPT_MAX = 1000;

/** @param links oldest first. */
export function roomAmong(links: readonly Weighed[], now: number): Room {
  const ended = links.filter((link) => !isActive(link, now));
  let characters = links.reduce((sum, link) => sum + link.characters, 0);
  const forgotten: string[] = [];
  for (const [at, { id, characters: freed }] of ended.entries()) {
    if (characters <= CHARACTERS_MAX && ended.length - at <= ENDED_KEPT_MAX) break;
    forgotten.push(id);
    characters -= freed;
  }
  return { forgotten, isEnough: characters <= CHARACTERS_MAX };
}
