import type { Finding } from '@svc/contract';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { AT, newReport, submission } from '../../test/local-reports.ts';
import type { LocalReport } from '../store/local-report.ts';
import { canonicalReport, reportIssues } from './canonical.ts';

/** Details as another program may have left them in the store. */
const stored = (details: Record<string, unknown> = {}) =>
  ({
    ...newReport({ scan: { startedAt: AT, tools: [] } }),
    coverage: [],
    coverageAreas: [],
    limitations: [],
    candidateCount: 1,
    duplicateCount: 0,
    redactions: 0,
    sync: { isReceived: false },
    ...details,
  }) as unknown as LocalReport;

const valid = (id: string): Finding => ({
  id,
  fingerprint: id.slice(-1).repeat(64),
  ...submission('a'),
});

test('invalid fields of a stored report are repaired or dropped, and the report lists them', () => {
  const token = ['npm_', 'abcdefghij'.repeat(3), 'abcdef'].join('');
  const findings = [
    valid('F-1'),
    {
      ...valid('F-2'),
      title: 'no',
      category: `licence ${token}`,
      tags: ['kept', 'x'.repeat(81), 7],
      fixedAt: 'yesterday',
      unknown: token,
    },
    { ...valid('F-3'), severity: 'fatal' },
    { ...valid('F-1'), fingerprint: 'cd'.repeat(32), title: 'The id of an earlier finding' },
  ] as unknown as Finding[];
  const { report, repairs } = canonicalReport(stored(), { findings }, { at: AT, homes: [] });
  expect(reportIssues(report)).toEqual([]);
  expect(JSON.stringify(report)).not.toContain(token);
  expect(report.findings.map(({ id }) => id)).toEqual(['F-1', 'F-2']);
  expect(report.findings[0]).toEqual(valid('F-1'));
  expect(report.findings[1]).toMatchObject({
    title: 'no (no further description)',
    category: 'licence_redacted_npm_token',
    tags: ['kept', `${'x'.repeat(79)}…`],
  });
  expect(report.summary.findingCount).toBe(2);
  expect(repairs).toEqual([
    '6 fields were not valid in a report: 3 dropped (fixedAt, tags, unknown field), 1 shortened (tags), 1 completed (title), 1 renamed (category).',
    '2 findings were left out: no valid finding could be created from what was stored.',
  ]);
  expect(report.limitations).toEqual(repairs);
});

test('the report is complete and valid, whatever a stored finding contains', () => {
  const token = ['npm_', 'abcdefghij'.repeat(3), 'abcdef'].join('');
  const names = [
    ...Object.keys(valid('F-1')),
    'tags',
    'corroboration',
    'references',
    'status',
    'fixHistory',
    'other',
  ];
  const value = fc.oneof(
    fc.jsonValue(),
    fc.constantFrom<unknown>(token, `x ${token} `.repeat(300), [token], { a: token }),
  );
  fc.assert(
    fc.property(fc.dictionary(fc.constantFrom(...names), value), (changes) => {
      const findings = [valid('F-1'), { ...valid('F-2'), ...changes }] as Finding[];
      const { report, repairs } = canonicalReport(stored(), { findings }, { at: AT, homes: [] });
      expect(reportIssues(report)).toEqual([]);
      expect(JSON.stringify(report)).not.toContain(token);
      expect(report.findings[0]).toEqual(valid('F-1'));
      expect(report.findings.length === 2 || repairs.length > 0).toBe(true);
    }),
  );
});

test('a valid report is unchanged', () => {
  const { report, repairs } = canonicalReport(stored(), { findings: [valid('F-1')] }, { at: AT, homes: [] });
  expect([report.findings, repairs, report.limitations]).toEqual([[valid('F-1')], [], []]);
});

test('invalid input from a person is rejected and not repaired', () => {
  const local = stored({ agent: { name: 'x'.repeat(121), version: '1' } });
  const options = { at: AT, homes: [] };
  expect(() => canonicalReport(local, { findings: [] }, { ...options, isStrict: true })).toThrow(
    "can't be created",
  );
  expect(canonicalReport(local, { findings: [] }, options).report.scan.agent.name).toHaveLength(120);
});

test('[D24] a report is completed even if its texts have no space for redactions', () => {
  const key = ['AKIA', 'QPZRY7XGFTVDWSJN'].join('');
  const full = (length: number) => `${'a '.repeat(length).slice(0, length - key.length - 1)} ${key}`;
  const finding: Finding = {
    id: 'F-1',
    fingerprint: 'ab'.repeat(32),
    ...submission('a', { title: full(240), tags: [full(80), 'kept'], taxonomy: [full(64)] }),
  };
  const local = {
    ...newReport({ scan: { startedAt: AT, tools: [], branch: full(200) } }),
    coverage: [full(500)],
    coverageAreas: [],
    limitations: [],
    candidateCount: 1,
    duplicateCount: 0,
    redactions: 0,
    sync: { isReceived: false },
  } as unknown as LocalReport;
  const { report } = canonicalReport(local, { findings: [finding] }, { at: AT, homes: [] });
  expect(JSON.stringify(report)).not.toMatch(/AKIA/);
  expect(report.findings[0]?.title).toHaveLength(240);
  expect(report.findings[0]?.tags?.[1]).toBe('kept');
});
