/** Finds canaries in a rendering, which may shorten them, group their digits or change their case. */

const COMMIT_ABBREVIATED = 12;

function spellingsOf(canary: string): readonly string[] {
  // A rendering shows at least the day of a time, and the beginning of a digest.
  if (/^\d{4}-\d\d-\d\dT/.test(canary)) return [canary.slice(0, 10)];
  if (/^\d+$/.test(canary)) return [canary, Number(canary).toLocaleString('en')];
  return /^(?:fade)+/.test(canary) ? [canary.slice(0, COMMIT_ABBREVIATED)] : [canary.toLowerCase()];
}

/** The canaries that a text contains, in any spelling. */
export function canariesIn(text: string, canaries: readonly string[]): readonly string[] {
  const folded = text.toLowerCase();
  return canaries.filter((canary) => spellingsOf(canary).some((spelling) => folded.includes(spelling)));
}
