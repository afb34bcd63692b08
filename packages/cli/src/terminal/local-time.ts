/** Times for people: of their own clock, and the same in every line. */

/** `2026-06-03 14:00`. */
export function localTime(at: string): string {
  return new Date(at).toLocaleString('sv-SE', { dateStyle: 'short', timeStyle: 'short' });
}
