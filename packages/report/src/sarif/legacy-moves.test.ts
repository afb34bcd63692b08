import type { Finding } from '@svc/contract';
import { expect, test } from 'vitest';
import { earlierTags } from '../identity/identity-tags.ts';
import { legacyMoves } from './legacy-moves.ts';

const digits = (text: string) => text.padStart(64, '0');
const finding = (id: string, fingerprint: string, more: Partial<Finding> = {}) =>
  ({ id, fingerprint: digits(fingerprint), severity: 'low', ...more }) as Finding;
const tagged = (earlier: string, next: string) => ({
  tags: earlierTags({ fingerprint: digits(earlier), next: digits(next) }),
});

test('a finding is listed with its version 1 fingerprint and with that of a second equal one', () => {
  expect(legacyMoves([finding('F-1', 'a', tagged('1', '2')), finding('F-2', 'b')])).toEqual([
    { from: digits('1'), to: digits('a') },
    { from: digits('2'), to: digits('a') },
  ]);
});

test('equal findings are left out', () => {
  const equals = [finding('F-1', 'a', tagged('1', '3')), finding('F-2', 'b', tagged('2', '3'))];
  expect(legacyMoves(equals)).toEqual([]);
});

test('the most severe findings come first, up to the limit of the service', () => {
  const many = Array.from({ length: 3000 }, (_, index) =>
    finding(`F-${index}`, `a${index}`, {
      ...tagged(`b${index}`, `c${index}`),
      severity: index === 2999 ? 'high' : 'low',
    }),
  );
  const moves = legacyMoves(many);
  expect(moves).toHaveLength(5000);
  expect(moves[0]).toEqual({ from: digits('b2999'), to: digits('a2999') });
});
