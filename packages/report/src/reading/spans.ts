/** A location in free form, as in evidence: a file or another name, perhaps followed by lines and columns. */
export interface Span {
  /** The part before the lines; the whole location if it has no lines. */
  readonly path: string;
  readonly lineStart?: number;
  readonly columnStart?: number;
  readonly lineEnd?: number;
  readonly columnEnd?: number;
}

/** The part after the file in `src/a.ts:12`, `src/a.ts:12-15`, `src/a.ts:12:3` and `src/a.ts:12:3-15:9`. */
const LINES = /^:([0-9]{1,10})(?::([0-9]{1,10}))?(?:-([0-9]{1,10})(?::([0-9]{1,10}))?)?$/;

export function spanIn(location: string): Span {
  const at = endWithoutNumbers(location);
  const named = LINES.exec(location.slice(at));
  if (named === null) return { path: location };
  const [, lineStart, columnStart, lineEnd, columnEnd] = named.map((digits) =>
    digits === undefined ? undefined : Number(digits),
  );
  return {
    path: location.slice(0, at),
    ...(lineStart !== undefined && { lineStart }),
    ...(columnStart !== undefined && { columnStart }),
    ...(lineEnd !== undefined && { lineEnd }),
    ...(columnEnd !== undefined && { columnEnd }),
  };
}

/** Where the digits, colons and hyphens at the end of a text begin. */
function endWithoutNumbers(text: string): number {
  let end = text.length;
  while (end > 0 && '0123456789:-'.includes(text.charAt(end - 1))) end -= 1;
  return end;
}
