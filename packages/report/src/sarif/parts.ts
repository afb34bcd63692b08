/**
 * Parts of a SARIF log as untrusted JSON. Readers accept a part in its expected form and get an empty one otherwise, so
 * a log that breaks its schema loses only that part.
 */
export type Fields = Readonly<Record<string, unknown>>;

export function fields(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};
}

export function items(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** A list, or the single object that some tools write where a list belongs. */
export function listed(value: unknown): readonly unknown[] {
  return Object.keys(fields(value)).length > 0 ? [value] : items(value);
}

/** Many times what a finding keeps of a text, in UTF-16 units. The rest of a text is not read. */
const TEXT_LENGTH_MAX = 20_000;

/** A non-empty text, up to a length that bounds the work for a text that many results share. */
export function text(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  const given = bounded(value, TEXT_LENGTH_MAX);
  return given.trim() === '' ? undefined : given.toWellFormed();
}

/** A text is not cut within a word, unless the word is longer than this. */
const WORD_LENGTH_MAX = 4096;
const ELLIPSIS = '…';

/** Cuts a long text between words if possible, since half a secret is unrecognizable. */
export function bounded(given: string, lengthMax: number): string {
  if (given.length <= lengthMax) return given;
  const kept = given.slice(0, lengthMax - ELLIPSIS.length);
  const end = kept.slice(-WORD_LENGTH_MAX);
  const gap = Math.max(end.lastIndexOf(' '), end.lastIndexOf('\n'));
  const cut = gap < 0 ? 0 : end.length - gap - 1;
  return `${kept.slice(0, kept.length - cut).toWellFormed()}${ELLIPSIS}`;
}

/** A whole number from 0. */
export function natural(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}

/** The item at an index of the log; in a log, -1 means none. */
export function itemAt(list: unknown, index: unknown): Fields | undefined {
  const at = natural(index);
  const item = at === undefined ? undefined : items(list)[at];
  return item === undefined ? undefined : fields(item);
}

/** Undefined for a value of another type. */
export function objectIn(value: unknown): Fields | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : undefined;
}
