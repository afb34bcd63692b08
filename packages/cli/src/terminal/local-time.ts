/** Times for people: in their own time zone, and in the same format everywhere. */

/** `2026-06-03 14:00`. */
export function localTime(at: string): string {
  return new Date(at).toLocaleString('sv-SE', { dateStyle: 'short', timeStyle: 'short' });
}
