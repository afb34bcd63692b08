import fc from 'fast-check';
import type { Release } from '@svc/contract';
import { describe, expect, test } from 'vitest';
import { CliError } from '../errors.ts';
import { rejectRelease, type Standing } from './rules.ts';

const NOW_MS = Date.parse('2026-06-01T00:00:00Z');

const release: Release = {
  schemaVersion: 1,
  channel: 'stable',
  version: '1.2.0',
  releasedAt: '2026-05-01T00:00:00Z',
  expiresAt: '2026-07-01T00:00:00Z',
  minimumVersion: '1.0.0',
  revokedVersions: ['1.1.0'],
  artifacts: [],
};
const standing: Standing = { channel: 'stable', installed: '1.1.0', nowMs: NOW_MS, seen: null };

function rejection(changes: Partial<Release>, here: Partial<Standing> = {}): string | null {
  try {
    rejectRelease({ ...release, ...changes }, { ...standing, ...here });
    return null;
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    return error.code ?? '';
  }
}

const seen = (version: string, releasedAt: string) => ({
  seen: { version, releasedAtMs: Date.parse(releasedAt) },
});

describe('a release', () => {
  test.each<[string, string | null, Partial<Release>, Partial<Standing>?]>([
    ['that is newer is accepted', null, {}],
    ['that is installed is accepted', null, {}, { installed: '1.2.0' }],
    ['that was seen before is accepted', null, {}, seen('1.2.0', release.releasedAt)],
    ['of another channel is rejected', 'MANIFEST_OTHER_CHANNEL', { channel: 'beta' }],
    ['that expires now is rejected', 'MANIFEST_EXPIRED', { expiresAt: '2026-06-01T00:00:00Z' }],
    ['that expires a millisecond from now is accepted', null, { expiresAt: '2026-06-01T00:00:00.001Z' }],
    [
      'that is a millisecond older than the last seen one is rejected',
      'MANIFEST_STALE',
      {},
      seen('1.2.0', '2026-05-01T00:00:00.001Z'),
    ],
    [
      'that is lower than the installed version is rejected',
      'MANIFEST_DOWNGRADE',
      {},
      { installed: '1.2.1' },
    ],
    [
      'that is a pre-release of the installed version is rejected',
      'MANIFEST_DOWNGRADE',
      { version: '1.2.0-rc.1' },
      { installed: '1.2.0' },
    ],
    [
      'that is lower than a seen one is rejected',
      'MANIFEST_DOWNGRADE',
      {},
      seen('1.10.0', '2026-04-01T00:00:00Z'),
    ],
    ['that was revoked is rejected', 'MANIFEST_REVOKED', { revokedVersions: ['1.2.0'] }],
  ])('[D14] %s', (_, code, changes, here) => {
    expect(rejection(changes, here)).toBe(code);
  });

  test('[D14] is never accepted after a higher or later one, in any order', () => {
    const one = fc.record({ minor: fc.nat({ max: 12 }), day: fc.integer({ min: 1, max: 28 }) });
    fc.assert(
      fc.property(fc.array(one, { minLength: 1, maxLength: 12 }), (offered) => {
        let memory: Standing['seen'] = null;
        for (const { minor, day } of offered) {
          const version = `1.${minor}.0`;
          const releasedAt = `2026-05-${String(day).padStart(2, '0')}T00:00:00Z`;
          const offer = { version, releasedAt, revokedVersions: [] };
          const isTaken = rejection(offer, { installed: '1.0.0', seen: memory }) === null;
          const highest = Number(memory?.version.split('.')[1] ?? 0);
          expect(isTaken).toBe(minor >= highest && Date.parse(releasedAt) >= (memory?.releasedAtMs ?? 0));
          if (isTaken) memory = { version, releasedAtMs: Date.parse(releasedAt) };
        }
      }),
    );
  });
});
