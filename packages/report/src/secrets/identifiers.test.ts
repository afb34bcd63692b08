/** Redaction must not change identifiers: a changed one would belong to another report, or be invalid. */
import { FindingId, LocalReportId } from '@svc/contract';
import { Compile } from 'typebox/compile';
import { expect, test } from 'vitest';
import { SeededText, DIGITS, HEX } from '../../test/seeded-text.ts';
import { findSecrets, secretAnchors } from './secrets.ts';

const chance = new SeededText('identifiers');
/** The anchors of secrets that an identifier can contain. */
const anchorsOf = (alphabet: RegExp) =>
  secretAnchors()
    .map(({ anchor }) => anchor)
    .filter((anchor) => alphabet.test(anchor));

/** Hexadecimal digits with each anchor at each position. */
function withAnchors(length: number): string[] {
  return anchorsOf(/^[0-9a-f]+$/).flatMap((anchor) =>
    Array.from({ length: length - anchor.length + 1 }, (_, at) => {
      const digits = chance.of(HEX, length);
      return digits.slice(0, at) + anchor + digits.slice(at + anchor.length);
    }),
  );
}

test('[D24] local ids, fingerprints and commits are never found as secrets', () => {
  expect(anchorsOf(/^[0-9a-f]+$/)).not.toEqual([]);
  const ids = withAnchors(32).map((digits) => `r${digits}`);
  expect(ids.every((id) => Compile(LocalReportId).Check(id))).toBe(true);
  const identifiers = [...ids, ...[40, 64].flatMap(withAnchors)];
  expect(identifiers.filter((text) => findSecrets(text).length > 0)).toEqual([]);
});

test('[D24] finding ids are never found as secrets', () => {
  const ids = anchorsOf(/^[A-Z]{1,8}-?[0-9]*$/).flatMap((anchor) => {
    const letters = /^[A-Z]+/.exec(anchor)?.[0] ?? '';
    return [letters, `A${letters}`.slice(0, 8)].map((name) => `${name}-${chance.of(DIGITS, 7)}`);
  });
  expect(ids.length).toBeGreaterThan(10);
  expect(ids.every((id) => Compile(FindingId).Check(id))).toBe(true);
  expect(ids.filter((text) => findSecrets(text).length > 0)).toEqual([]);
});
