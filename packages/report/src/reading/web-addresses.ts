/** Web addresses in the texts of a report: nothing else becomes a link, wherever the text is shown. */

/** An address with spaces or control characters is invalid: browsers remove these before they read it. */
const WHOLE = /^https?:\/\/[^\s\p{Cc}\p{Cf}]+$/iu;

/** As written in a sentence: up to a space, a quote or an enclosing bracket. */
const WITHIN = /https?:\/\/[^\s\p{Cc}\p{Cf}<>"'`]+/giu;
const MARKS_AFTER = new Set('.,;:!?*_~');
const OPENING: Readonly<Record<string, string>> = { ')': '(', ']': '[', '}': '{' };

export function isWebAddress(text: string): boolean {
  return WHOLE.test(text) && URL.canParse(text);
}

export interface AddressPart {
  readonly text: string;
  readonly isAddress: boolean;
}

/** The parts of the text in order; together they are the text, and none is empty. */
export function addressesIn(text: string): readonly AddressPart[] {
  if (!text.includes('://')) return text === '' ? [] : [{ text, isAddress: false }];
  const parts: AddressPart[] = [];
  let from = 0;
  for (const { 0: found, index } of text.matchAll(WITHIN)) {
    const address = withoutMarksAfter(found);
    if (!isWebAddress(address)) continue;
    if (index > from) parts.push({ text: text.slice(from, index), isAddress: false });
    parts.push({ text: address, isAddress: true });
    from = index + address.length;
  }
  if (from < text.length) parts.push({ text: text.slice(from), isAddress: false });
  return parts;
}

/** Removes the punctuation that ends the sentence, and a bracket that was opened before the address. */
function withoutMarksAfter(found: string): string {
  const open: Record<string, number> = { '(': 0, '[': 0, '{': 0 };
  for (const character of found) {
    const opening = OPENING[character];
    if (character in open) open[character] = (open[character] ?? 0) + 1;
    else if (opening !== undefined) open[opening] = (open[opening] ?? 0) - 1;
  }
  let end = found.length;
  for (; end > 0; end -= 1) {
    const last = found[end - 1] ?? '';
    const opening = OPENING[last];
    if (opening !== undefined && (open[opening] ?? 0) < 0) open[opening] = (open[opening] ?? 0) + 1;
    else if (!MARKS_AFTER.has(last)) break;
  }
  return found.slice(0, end);
}
