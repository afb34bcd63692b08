/** Redaction must leave identifiers alone: a report whose id changes is another report, and one without a valid id is none. */
import { FindingId, LocalReportId } from '@svc/contract';
import { Compile } from 'typebox/compile';
import { expect, test } from 'vitest';
import { SeededText, DIGITS, HEX } from '../test/seeded-text.ts';
import { findSecrets, secretAnchors } from './secrets.ts';

const chance = new SeededText('identifiers');
/** What the text of an identifier can contain of the beginnings of secrets. */
const anchorsOf = (alphabet: RegExp) =>
  secretAnchors.map(({ anchor }) => anchor).filter((anchor) => alphabet.test(anchor));

/** Each anchor at each place of a run of so many hexadecimal digits. */
function withAnchors(length: number): string[] {
  return anchorsOf(/^[0-9a-f]+$/).flatMap((anchor) =>
    Array.from({ length: length - anchor.length + 1 }, (_, at) => {
      const digits = chance.of(HEX, length);
      return digits.slice(0, at) + anchor + digits.slice(at + anchor.length);
    }),
  );
}

test('[D24] the ids of local reports, fingerprints and commits are never taken for secrets', () => {
  expect(anchorsOf(/^[0-9a-f]+$/)).not.toEqual([]);
  const ids = withAnchors(32).map((digits) => `r${digits}`);
  expect(ids.every((id) => Compile(LocalReportId).Check(id))).toBe(true);
  const identifiers = [...ids, ...[40, 64].flatMap(withAnchors)];
  expect(identifiers.filter((text) => findSecrets(text).length > 0)).toEqual([]);
});

test('[D24] the ids of findings are never taken for secrets', () => {
  const ids = anchorsOf(/^[A-Z]{1,8}-?[0-9]*$/).flatMap((anchor) => {
    const letters = /^[A-Z]+/.exec(anchor)?.[0] ?? '';
    return [letters, `A${letters}`.slice(0, 8)].map((name) => `${name}-${chance.of(DIGITS, 7)}`);
  });
  expect(ids.length).toBeGreaterThan(10);
  expect(ids.every((id) => Compile(FindingId).Check(id))).toBe(true);
  expect(ids.filter((text) => findSecrets(text).length > 0)).toEqual([]);
});
