/** What is counted of an event never contains text that a person wrote. */
import { analyticsNames, analyticsSurfaces, exportFormats, limits, type AnalyticsEvent } from '@svc/contract';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { countsOf, dayOf, firstDayOf, releaseOf, releasesCounted, countAnswer } from './policy.ts';

const max = limits.analytics.versionsPerDayMax;

const event: fc.Arbitrary<AnalyticsEvent> = fc.record(
  {
    eventId: fc.uuid(),
    name: fc.constantFrom(...analyticsNames),
    occurredAt: fc.constant('2026-01-02T03:04:05Z'),
    workspaceId: fc.constant('ws_canary'),
    projectId: fc.constant('prj_canary'),
    reportId: fc.constant('rep_canary'),
    format: fc.constantFrom(...exportFormats),
    surface: fc.constantFrom(...analyticsSurfaces),
    clientVersion: fc.oneof(fc.constantFrom('1.2.3', '0.1.0'), fc.string({ minLength: 1, maxLength: 60 })),
  },
  { requiredKeys: ['eventId', 'name', 'occurredAt'] },
);

test.each([
  ['0.1.0', '0.1.0'],
  ['12.0.345', '12.0.345'],
  ['9999.9999.9999', '9999.9999.9999'],
  ['1.2', ''],
  ['1.2.3-beta.1', ''],
  ['1.2.3 ann@example.test', ''],
  ['v1.2.3', ''],
  ['01.2.3', ''],
  ['1.2.30000', ''],
  ['1.2.3\n', ''],
  ['١.٢.٣', ''],
  ['', ''],
  [undefined, ''],
])('[D13] the version %j is counted as %j', (given, release) => expect(releaseOf(given)).toBe(release));

test('[D13] every event is counted once, under enum values and admitted releases only', () => {
  fc.assert(
    fc.property(fc.array(event, { maxLength: 50 }), fc.array(event, { maxLength: 50 }), (events, others) => {
      const releases = new Set(['1.2.3']);
      const counts = countsOf(events, '2026-01-02', releases);
      expect(counts.reduce((sum, { count }) => sum + count, 0)).toBe(events.length);
      expect(new Set(counts.map((row) => Object.values({ ...row, count: 0 }).join(' '))).size).toBe(
        counts.length,
      );
      for (const { clientVersion } of counts) expect(['', '1.2.3']).toContain(clientVersion);
      expect(JSON.stringify(counts)).not.toContain('canary');
      const answers = counts.map(countAnswer);
      expect(Object.values(answers.map((row) => Object.values(row))).flat()).not.toContain('');

      // Two calls lock their common rows in the same order.
      const placesOf = (rows: typeof counts) => rows.map((row) => JSON.stringify({ ...row, count: 0 }));
      const theirs = placesOf(countsOf(others, '2026-01-02', releases));
      const ours = placesOf(counts);
      expect(ours.filter((place) => theirs.includes(place))).toEqual(
        theirs.filter((place) => ours.includes(place)),
      );
    }),
  );
});

test('[D13] a day admits a limited number of releases, and keeps those already admitted', () => {
  const known = new Set(Array.from({ length: max - 1 }, (_, at) => `1.0.${at}`));
  const counted = releasesCounted(known, ['2.0.0', '2.0.1', '1.0.0']);
  expect(counted).toEqual(new Set([...known, '2.0.0']));
  expect(releasesCounted(counted, ['3.0.0'])).toEqual(counted);
});

test('[D13] days are in UTC, and a span ends today', () => {
  const time = Date.parse('2026-03-01T23:59:59.999Z');
  expect(dayOf(time)).toBe('2026-03-01');
  expect(firstDayOf(time, 1)).toBe('2026-03-01');
  expect(firstDayOf(time, 30)).toBe('2026-01-31');
});
