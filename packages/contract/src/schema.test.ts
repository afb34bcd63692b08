import { describe, expect, test } from 'vitest';
import { isTime } from './schema.ts';

describe('[D2] a time that is given', () => {
  test.each([
    '2026-01-02T03:04:05Z',
    '2026-01-02T03:04:05.1Z',
    '2026-01-02T03:04:05.123456789Z',
    '2026-01-02T03:04:05.123456789012345Z',
    '2024-02-29T23:59:59.999Z',
  ])('is taken as %s', (given) => {
    expect(isTime(given)).toBe(true);
  });

  test.each([
    '',
    '2026-01-02',
    '2026-01-02T03:04Z',
    '2026-01-02T03:04:05',
    '2026-01-02T03:04:05.Z',
    '2026-01-02T03:04:05+00:00',
    '2026-13-02T03:04:05Z',
    '2026-01-02T25:04:05Z',
    '2026-01-02T03:04:60Z',
    ' 2026-01-02T03:04:05Z',
    '2026-01-02T03:04:05Z\n',
    '+02026-01-02T03:04:05Z',
  ])('is not taken as %j', (given) => {
    expect(isTime(given)).toBe(false);
  });
});
