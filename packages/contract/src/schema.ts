/**
 * The building blocks of every schema: closed objects, text, ids and times.
 *
 * Lengths count code points. The schema library counts grapheme clusters, where one character with ten thousand
 * combining marks has the length 1. So `text` has its own check and publishes its bounds as `minLength` and
 * `maxLength` when JSON Schemas are generated (see json-schema.ts).
 */
import Type, { type TProperties } from 'typebox';

/** The key that holds the length bounds until json-schema.ts publishes them. */
export const LENGTH_KEY = 'x-length';

/** An object that rejects unknown fields. */
export function closed<Properties extends TProperties>(
  properties: Properties,
  options: { title?: string; description?: string } = {},
) {
  return Type.Object(properties, { additionalProperties: false, ...options });
}

/** True for `min` to `max` code points. They are counted only if the length in UTF-16 units does not decide. */
export function codePointsWithin(value: string, min: number, max: number): boolean {
  if (value.length < min || value.length > max * 2) return false;
  if (value.length <= max && value.length >= min * 2) return true;
  let count = 0;
  for (const _ of value) count += 1;
  return count >= min && count <= max;
}

/** Control characters, and invisible characters that reorder or hide the text around them. */
// oxlint-disable-next-line no-control-regex
const HIDDEN_CHARACTERS = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/;

interface TextOptions {
  description?: string;
}

/** Any well-formed text of `min` to `max` code points. */
export function text(min: number, max: number, options: TextOptions = {}) {
  return Type.Refine(
    Type.String({ ...options, [LENGTH_KEY]: [min, max] }),
    (value) => codePointsWithin(value, min, max) && value.isWellFormed(),
    () => `must be text of ${min} to ${max} characters`,
  );
}

/** One line of visible text. Leading and trailing white space does not count and is removed. */
export function line(min: number, max: number, options: TextOptions = {}) {
  return Type.Refine(
    Type.String({ ...options, [LENGTH_KEY]: [min, max] }),
    (value) =>
      codePointsWithin(value.trim(), min, max) && value.isWellFormed() && !HIDDEN_CHARACTERS.test(value),
    () => `must be one line of ${min} to ${max} visible characters`,
  );
}

interface MatchingOptions extends TextOptions {
  /** Length bounds in addition to the expression: validators in other languages may not support lookahead. */
  length?: readonly [min: number, max: number];
}

/** Text that matches a regular expression. */
export function matching(pattern: RegExp, advice: string, { length, ...options }: MatchingOptions = {}) {
  const bounds = length && { [LENGTH_KEY]: [...length] };
  return Type.Refine(
    Type.String({ ...options, ...bounds, pattern: pattern.source }),
    (value) => pattern.test(value) && (!length || codePointsWithin(value, ...length)),
    () => advice,
  );
}

/** An id in a request. Any text is accepted: a malformed id gets the same response as an unknown one. */
export const idGiven = Type.String({ description: 'A record id.' });

/** A record id in a response: the prefix and 26 characters of lower-case Crockford base32. */
export function recordId(prefix: string) {
  return Type.String({ pattern: `^${prefix}_[0-9a-hjkmnp-tv-z]{26}$` });
}

/** A time in a response: ISO 8601, UTC, milliseconds. */
export const timestamp = Type.String({ format: 'date-time', description: 'ISO 8601, UTC.' });

/** Excludes leap seconds, which `Date` does not support. */
const TIME = /^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-5][0-9](?:\.[0-9]+)?Z$/;

/** True for a time in requests and reports: RFC 3339 in UTC, with Z. */
export function isTime(value: string): boolean {
  return TIME.test(value) && !Number.isNaN(Date.parse(value));
}

/** A time in requests and reports: RFC 3339 in UTC. */
export const time = Type.Refine(
  Type.String({ format: 'date-time', pattern: TIME.source, description: 'RFC 3339, UTC, with Z.' }),
  isTime,
  () => 'must be a time such as 2026-01-02T03:04:05Z',
);

/** A field that is always present and null while unset. */
export function nullable<Schema extends Type.TSchema>(schema: Schema) {
  return Type.Union([schema, Type.Null()]);
}
