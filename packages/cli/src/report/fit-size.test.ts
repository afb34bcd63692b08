import { limits, severities, verifications, type Finding } from '@svc/contract';
import type { CanonicalReport } from '@svc/report';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { AT, newReport, submission } from '../../test/local-reports.ts';
import type { LocalReport } from '../store/local-report.ts';
import { canonicalReport, reportIssues } from './canonical.ts';
import { fittedSentence, fittedToSize } from '@svc/report/making/fit-size';
import { jsonBytes } from '@svc/report/making/report-json';
import { SHORTENED_LENGTH_MIN } from '@svc/report/making/shortened';

const MARK = '… [shortened]';

function reportOf(findings: readonly Finding[], changes: Partial<LocalReport> = {}): CanonicalReport {
  const local = {
    ...newReport(),
    state: 'scanning',
    candidateCount: findings.length,
    duplicateCount: 0,
    coverage: [],
    coverageAreas: [],
    limitations: ['Nothing was run.'],
    redactions: 0,
    warnings: [],
    sync: { isReceived: false, reportBytesMax: Number.MAX_SAFE_INTEGER },
    ...changes,
  } satisfies LocalReport;
  return canonicalReport(local, { findings }, { at: AT, homes: [] }).report;
}

function findingOf(number: number, changes: Partial<Finding> = {}): Finding {
  return {
    id: `F-${number}`,
    fingerprint: String(number).padStart(64, '0'),
    ...submission(String(number)),
    ...changes,
  };
}

const sizeOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value));

/** Characters that take one to six bytes as JSON. */
const prose = (lengthMax: number) =>
  fc
    .tuple(
      fc.constantFrom('a ', 'é', '"', '\n', '漢', '😀', '\u0001'),
      fc.integer({ min: 20, max: lengthMax }),
    )
    .map(([text, length]) => [...text.repeat(length)].slice(0, length).join(''));

const finding = fc
  .record({
    severity: fc.constantFrom(...severities),
    verification: fc.constantFrom(...verifications),
    summary: prose(1200),
    remediation: prose(400),
    snippet: prose(3000),
    note: prose(200),
    tags: fc.constantFrom<string[]>([], ['tool:Linter']),
  })
  .map(({ snippet, note, ...rest }): Partial<Finding> => ({
    ...rest,
    evidence: [
      { kind: 'source', description: 'The query is put together here.', snippet, location: 'a.ts:7' },
    ],
    fixHistory: [{ at: AT, action: 'suggested', verified: false, note }],
  }));

/** One report takes as long as several cases of other properties. */
const numRuns = Math.ceil((fc.readConfigureGlobal().numRuns ?? 100) / 4);

const fit = (report: CanonicalReport, sizeBytesMax: number) =>
  fittedToSize({ report, bytes: jsonBytes(report) }, sizeBytesMax);

describe('a report that is too large', () => {
  test('fits, is valid, keeps the identities of the most severe findings, and is the same each time', () => {
    fc.assert(
      fc.property(
        fc.array(finding, { minLength: 1, maxLength: 6 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (given, part) => {
          const report = reportOf(given.map((changes, index) => findingOf(index + 1, changes)));
          const least = sizeOf({ ...report, findings: [] }) + 6000;
          const sizeBytesMax = Math.round(least + part * Math.max(0, sizeOf(report) - least));
          const { report: made, bytes, fitted, leftOut } = fit(report, sizeBytesMax);
          expect(JSON.parse(Buffer.from(bytes).toString())).toEqual(made);
          expect(made === report).toBe(sizeOf(report) <= sizeBytesMax);
          if (made === report) return;
          expect(bytes.length).toBeLessThanOrEqual(sizeBytesMax);
          expect(reportIssues(made)).toEqual([]);
          expect(fit(report, sizeBytesMax)).toEqual({ report: made, bytes, fitted, leftOut });
          expect(fit(made, sizeBytesMax).report).toBe(made);

          const rank = ({ severity }: Finding) => severities.indexOf(severity);
          const kept = new Set(made.findings.map(({ id }) => id));
          expect(leftOut.map(({ id }) => id)).toEqual(
            report.findings.map(({ id }) => id).filter((id) => !kept.has(id)),
          );
          for (const lost of leftOut)
            for (const one of made.findings) expect(rank(one)).toBeLessThanOrEqual(rank(lost));
          expect(fitted).toMatchObject({ sizeBytesMax, findingsLeftOut: leftOut.length });
          expect(made.limitations).toEqual(['Nothing was run.', fittedSentence(fitted!)]);

          const before = new Map(report.findings.map((one) => [one.id, one]));
          const cut = made.findings.flatMap((one) => textsOf(one).filter((text) => text.endsWith(MARK)));
          expect(cut).toHaveLength(fitted!.textsShortened);
          for (const one of made.findings) {
            const whole = before.get(one.id)!;
            expect(untouched(one)).toEqual(untouched(whole));
            for (const [index, text] of textsOf(one).entries()) {
              const full = textsOf(whole)[index] ?? '';
              expect([...text].length).toBeLessThanOrEqual(fitted!.textLengthMax ?? full.length);
              if (text === full) continue;
              expect(full.startsWith(text.slice(0, -MARK.length))).toBe(true);
              expect(text.isWellFormed()).toBe(true);
              expect([...full].length).toBeGreaterThan(SHORTENED_LENGTH_MIN);
            }
          }
        },
      ),
      { numRuns },
    );
  });

  test('loses no finding as long as shorter texts are enough, and no more of a text than needed', () => {
    const long = 'word '.repeat(1600);
    const report = reportOf(
      severities.slice(1).map((severity, index) => findingOf(index + 1, { summary: long, severity })),
    );
    const sizeBytesMax = sizeOf(report) - 10_000;
    const { report: made, bytes, fitted } = fit(report, sizeBytesMax);
    expect(fitted).toMatchObject({ textsShortened: 4, findingsLeftOut: 0 });
    expect(sizeBytesMax - bytes.length).toBeLessThan(600);
    const lengths = made.findings.map(({ summary }) => summary.length);
    expect(Math.max(...lengths) - Math.min(...lengths)).toBeLessThan(6);
    expect(made.findings.every(({ summary }) => summary.endsWith(MARK))).toBe(true);
    expect(made.limitations.at(-1)).toMatch(
      /^4 texts shortened to 5,\d{3} characters: the size limit of a report is \d+ KiB\.$/,
    );
  });

  test('leaves the least severe findings out, and marks their tools as partial', () => {
    const tool = (name: string) => ({
      id: `tool:${name}`,
      name,
      status: 'covered' as const,
      note: 'It ran.',
    });
    const report = reportOf(
      Array.from({ length: 60 }, (_, index) =>
        findingOf(index + 1, {
          severity: index % 2 === 0 ? 'high' : index % 3 === 0 ? 'low' : 'medium',
          tags: [index % 2 === 0 ? 'tool:Kept' : 'tool:Linter'],
        }),
      ),
      {
        scan: { ...newReport().scan, tools: [{ name: 'Linter' }, { name: 'Kept' }] },
        coverageAreas: [tool('Linter'), tool('Kept')],
      },
    );
    const { report: made, fitted } = fit(report, Math.round(sizeOf(report) * 0.7));
    expect(made.summary.severityCounts).toMatchObject({ high: 30, low: 0 });
    expect(made.summary.findingCount).toBe(made.findings.length);
    expect(made.limitations.at(-1)).toBe(
      `${fitted!.findingsLeftOut} findings left out, ${fitted!.leftOut.medium} of them medium, 10 low: the size limit of a report is ${Math.ceil((sizeOf(report) * 0.7) / 1024)} KiB.`,
    );
    expect(made.coverageAreas).toEqual([
      {
        ...tool('Linter'),
        status: 'partial',
        note: 'It ran. Findings were left out so that the report fits.',
      },
      tool('Kept'),
    ]);
  });

  test('leaves out what its scan suppressed before anything open', () => {
    const suppressed: Partial<Finding> = {
      severity: 'critical',
      status: 'accepted_risk',
      evidence: [{ kind: 'other', description: 'Suppressed by the scan.' }],
    };
    const report = reportOf(
      Array.from({ length: 40 }, (_, index) =>
        findingOf(index + 1, index % 2 === 0 ? suppressed : { severity: 'low' }),
      ),
    );
    const { leftOut } = fit(report, Math.round(sizeOf(report) * 0.7));
    expect(leftOut.length).toBeGreaterThan(0);
    expect(leftOut.every(({ status }) => status === 'accepted_risk')).toBe(true);
  });

  test('says that it was shortened, even with as many limitations as allowed', () => {
    const limitations = Array.from({ length: limits.report.limitationsMax }, (_, index) => `Limit ${index}.`);
    const report = reportOf([findingOf(1, { summary: 'word '.repeat(1600) })], { limitations });
    const { report: made, fitted } = fit(report, sizeOf(report) - 1000);
    expect(made.limitations).toHaveLength(limits.report.limitationsMax);
    expect(made.limitations.at(-1)).toBe(fittedSentence(fitted!));
    expect(reportIssues(made)).toEqual([]);
  });

  test('stays unchanged when not even one finding would fit', () => {
    const report = reportOf([findingOf(1), findingOf(2)]);
    expect(fit(report, 1000)).toMatchObject({ report, fitted: null, leftOut: [] });
  });
});

function textsOf({
  summary,
  impact,
  remediation,
  verificationPlan,
  evidence,
  fixHistory = [],
}: Finding): string[] {
  return [
    summary,
    impact,
    remediation,
    verificationPlan,
    ...evidence.flatMap(({ description, snippet = '' }) => [description, snippet]),
    ...fixHistory.map(({ note = '' }) => note),
  ];
}

/** The fields that are never shortened. */
function untouched({ id, fingerprint, title, category, severity, affected, tags, evidence }: Finding) {
  return {
    id,
    fingerprint,
    title,
    category,
    severity,
    affected,
    tags,
    places: evidence.map(({ location }) => location),
  };
}
