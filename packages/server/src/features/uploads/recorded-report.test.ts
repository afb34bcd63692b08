/** Reading a report finding by finding has the outcome of reading it as a whole, for every document. */
import { validatorOf } from '@svc/contract/validation';
import {
  CanonicalReport,
  factsOf,
  inconsistencies,
  packedFacts,
  packedSnapshots,
  packedTexts,
  reportTextsOf,
  snapshotsOf,
  type RecordedReport,
} from '@svc/report';
import { bytesOf, findingBody, reportBody } from '@svc/testkit/report-body';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { shapeOf } from '#platform/json-shape';
import { recordedReportIn } from './recorded-report.ts';

const bounds = { depthMax: 64, partsMax: 1_000_000 };
const key = new Uint8Array(32).fill(1);

function recordedIn(text: string): RecordedReport | null {
  const bytes = bytesOf(text);
  return recordedReportIn(bytes, shapeOf(bytes, bounds));
}

/** What the service stores of a report besides its body. */
function records(report: RecordedReport) {
  return {
    marks: packedSnapshots(snapshotsOf(report.findings, key)),
    facts: packedFacts(factsOf(report, key)),
    texts: packedTexts(reportTextsOf(report)),
  };
}

function isAcceptable(value: unknown): value is CanonicalReport {
  return validatorOf(CanonicalReport).Check(value) && inconsistencies(value as CanonicalReport).length === 0;
}

/** Fields that records are made from, and others. */
const anyFields = fc.record(
  {
    severity: fc.constantFrom('critical', 'high', 'info'),
    verification: fc.constantFrom('verified', 'needs_review'),
    status: fc.constantFrom('open', 'fixed_verified', 'accepted_risk'),
    title: fc.constantFrom('Order lookup trusts the id it is given', 'Passwords are kept in plain text'),
    tags: fc.uniqueArray(
      fc.constantFrom('tool:Semgrep', 'rule:no-eval', 'area:auth', 'weak-identity', 'own'),
    ),
    fingerprint: fc.constantFrom('ab', '01'),
    firstSeenAt: fc.constant('2026-01-02T03:04:05.000Z'),
    fixedAt: fc.constant('2026-02-03T04:05:06.000Z'),
    fixHistory: fc.constant([
      { at: '2026-02-03T04:05:06.000Z', action: 'applied', verified: true, note: 'Done.' },
    ]),
    affected: fc.constantFrom({ component: 'api', route: '/orders' }, { component: 'web', file: 'src/a.ts' }),
    // Longer than a piece, some of them.
    summary: fc.integer({ min: 20, max: 1990 }).map((length) => 'é'.repeat(length)),
    evidence: fc.integer({ min: 1, max: 6 }).map((count) =>
      Array.from({ length: count }, () => ({
        kind: 'source',
        description: 'Loaded by id alone.',
        snippet: 'x;'.repeat(900),
      })),
    ),
  },
  { requiredKeys: [] },
);
const anyReport = fc.array(anyFields, { maxLength: 12 }).map((all) =>
  reportBody({
    localReportId: 'the-report',
    scan: { ...(reportBody({ localReportId: '' })['scan'] as object), tools: [{ name: 'Semgrep' }] },
    findings: all.map(({ fingerprint, ...fields }, index) => ({
      ...findingBody(index + 1),
      ...fields,
      ...(fingerprint !== undefined && { fingerprint: `${fingerprint}${index}`.padEnd(64, '0') }),
    })),
  }),
);

/** Every value of a document, as the object or list that holds it and its name there. */
function placesIn(value: unknown): { holder: Record<string, unknown>; name: string }[] {
  if (typeof value !== 'object' || value === null) return [];
  const holder = value as Record<string, unknown>;
  return Object.keys(holder).flatMap((name) => [{ holder, name }, ...placesIn(holder[name])]);
}

describe('reading a report finding by finding', () => {
  test('[T11] makes the records of the whole report', () => {
    fc.assert(
      fc.property(anyReport, fc.boolean(), (report, spaced) => {
        const text = JSON.stringify(report, null, spaced ? 2 : 0);
        const recorded = recordedIn(text);
        const whole: unknown = JSON.parse(text);
        if (!isAcceptable(whole) || recorded === null) throw new Error('A valid report was rejected.');
        expect(records(recorded)).toEqual(records(whole));
        expect(recorded.localReportId).toBe(whole.localReportId);
      }),
    );
  });

  test('[T11] accepts exactly what is acceptable as a whole', () => {
    const change = fc.record({ at: fc.nat(), value: fc.oneof(fc.jsonValue(), fc.constant(undefined)) });
    fc.assert(
      fc.property(anyReport, fc.array(change, { minLength: 1, maxLength: 2 }), (report, changes) => {
        const changed: unknown = structuredClone(report);
        for (const { at, value } of changes) {
          const places = placesIn(changed);
          const place = places[at % places.length];
          if (place) place.holder[place.name] = value;
        }
        const text = JSON.stringify(changed);
        expect(recordedIn(text) !== null).toBe(isAcceptable(JSON.parse(text)));
      }),
      { numRuns: 300 },
    );
  });

  const report = reportBody({ localReportId: 'the-report', findings: [findingBody(1), findingBody(2)] });
  const text = JSON.stringify(report);

  test.each([
    ['another schema version', JSON.stringify({ ...report, schemaVersion: '2.0.0' })],
    ['an unknown field', JSON.stringify({ ...report, extra: [] })],
    ['an unknown field of a finding', text.replace('"id":"F-2"', '"id":"F-2","extra":1')],
    ['a field of a finding twice', text.replace('"id":"F-2"', '"id":"F-3","id":"F-2"')],
    ['the findings twice', text.replace('"findings":', '"findings":[],"findings":')],
    ['an id twice', text.replace('F-2', 'F-1')],
    ['a wrong count', text.replace('"findingCount":2', '"findingCount":3')],
    ['no findings', JSON.stringify({ ...report, findings: undefined })],
    ['a number instead of findings', JSON.stringify({ ...report, findings: 0 })],
    ['a list', '[[]]'],
    ['a number', '0'],
  ])('[T11] does not accept %s', (_, given) => {
    expect(given).not.toBe(text);
    expect(recordedIn(given)).toBeNull();
  });

  test('[T11] fails for what is not JSON', () => {
    expect(() => recordedIn(text.slice(0, -1))).toThrow(SyntaxError);
    expect(() => recordedIn(text.replace('"findings":[', '"findings":[,'))).toThrow(SyntaxError);
  });
});
