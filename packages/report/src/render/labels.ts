/** How the words that fields choose from, and times, are shown to people. */

/** `strong_evidence` is shown as `Strong evidence`. For words of the contract, not for texts. */
export function labelOf(word: string): string {
  const text = word.replaceAll('_', ' ');
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

/** To the minute; `2026-03-04 05:06 UTC`. */
export function timeLabelOf(time: string): string {
  return `${time.slice(0, 10)} ${time.slice(11, 16)} UTC`;
}
