/** The state of a device link at a time, and the sanitizing of the text by which a device describes itself. */
import { limits, type DeviceLinkState } from '@svc/contract';

export interface LinkFacts {
  readonly expiresAt: number;
  readonly approvedBy: string | null;
  readonly deniedAt: number | null;
  readonly consumedAt: number | null;
}

/** A used link stays used, whatever the clock says. */
export function linkState(link: LinkFacts, now: number): DeviceLinkState {
  if (link.consumedAt !== null) return 'consumed';
  if (link.expiresAt <= now) return 'expired';
  if (link.deniedAt !== null) return 'denied';
  return link.approvedBy === null ? 'pending' : 'approved';
}

/** The clock decides, because an expired device may not be deleted yet. */
export function hasExpired({ expiresAt }: { readonly expiresAt: number | null }, now: number): boolean {
  return expiresAt !== null && expiresAt <= now;
}

/** Control characters, line and paragraph separators, and invisible characters, such as those that change direction. */
// oxlint-disable-next-line no-control-regex
const NOT_SHOWN = /[\u0000-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;

/**
 * A device describes itself, and a person decides by this text, so it must contain no character that makes it look like
 * another text.
 */
export function sanitized(text: string): string {
  const characters = [...text.toWellFormed().replace(NOT_SHOWN, '').trim()];
  return characters.slice(0, limits.deviceLinkFieldKeptLength).join('').trim() || 'unknown';
}
