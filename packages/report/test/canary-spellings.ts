/** How a canary looks once a rendering has written it in its own way: shortened, grouped, in capitals. */

const COMMIT_ABBREVIATED = 12;

function spellingsOf(canary: string): readonly string[] {
  // A time shows as a day at the least, and a digest is abbreviated from its end.
  if (/^\d{4}-\d\d-\d\dT/.test(canary)) return [canary.slice(0, 10)];
  if (/^\d+$/.test(canary)) return [canary, Number(canary).toLocaleString('en')];
  return /^(?:fade)+/.test(canary) ? [canary.slice(0, COMMIT_ABBREVIATED)] : [canary.toLowerCase()];
}

/** Those of the canaries that a text holds, however it writes them. */
export function canariesIn(text: string, canaries: readonly string[]): readonly string[] {
  const folded = text.toLowerCase();
  return canaries.filter((canary) => spellingsOf(canary).some((spelling) => folded.includes(spelling)));
}
