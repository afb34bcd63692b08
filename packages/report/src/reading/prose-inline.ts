/** A paragraph's text as plain text and code between backticks. Time is linear however the backticks are placed. */
export interface ProseInline {
  readonly kind: 'text' | 'code';
  readonly text: string;
}

/** Code is between two runs of backticks of the same length. No part is empty, and no two text parts are adjacent. */
export function inlineOf(text: string): readonly ProseInline[] {
  if (!text.includes('`')) return text === '' ? [] : [{ kind: 'text', text }];
  const runs = [...text.matchAll(/`+/g)].map(({ index, 0: { length } }) => ({ index, length }));
  const closing = closingRuns(runs.map(({ length }) => length));
  const parts: ProseInline[] = [];
  let from = 0;
  for (const [at, { index, length }] of runs.entries()) {
    const close = runs[closing[at] ?? runs.length];
    if (close === undefined || index < from) continue;
    if (index > from) parts.push({ kind: 'text', text: text.slice(from, index) });
    parts.push({ kind: 'code', text: codeWithin(text.slice(index + length, close.index)) });
    from = close.index + close.length;
  }
  if (from < text.length) parts.push({ kind: 'text', text: text.slice(from) });
  return parts;
}

/** Maps each run to the next one of its length, if any. */
function closingRuns(lengths: readonly number[]): readonly (number | undefined)[] {
  const next = new Map<number, number>();
  return lengths
    .map((length, index) => ({ length, index }))
    .toReversed()
    .map(({ length, index }) => {
      const following = next.get(length);
      next.set(length, index);
      return following;
    })
    .toReversed();
}

/** Makes one line, without the space that separates a backtick from the delimiters. */
function codeWithin(text: string): string {
  const line = text.replaceAll('\n', ' ');
  const isPadded = line.startsWith(' ') && line.endsWith(' ') && /[^ ]/.test(line);
  return isPadded ? line.slice(1, -1) : line;
}
