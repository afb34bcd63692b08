/** A report that is exported as SARIF and imported again keeps its findings: text, severity, location and identity. */
import { severities, type Finding } from '@svc/contract';
import type { Log } from 'sarif';
import { describe, expect, test } from 'vitest';
import fc from 'fast-check';
import { AT, findingOf, reportOf } from '../../test/samples.ts';
import type { CanonicalReport } from '../model/canonical.ts';
import { addFindings, addResults, noFindings } from '../intake/deduplication.ts';
import { wholeProjection } from '../projection/projection.ts';
import { importSarif } from '../sarif/import.ts';
import { renderSarif } from './sarif.ts';

const fingerprintOf = (index: number) => String(index).padStart(64, '0');

function exported(findings: Finding[], profile?: 'github'): string {
  return exportedReport({ findings }, profile);
}

function exportedReport(changes: Partial<CanonicalReport>, profile?: 'github'): string {
  const reportId = `rep_${'0'.repeat(26)}`;
  const projection = wholeProjection(reportOf(changes), {
    reportId,
    projectedFor: { principalType: 'user' },
  });
  return renderSarif(projection, profile && { profile });
}

const kept = ({
  title,
  category,
  severity,
  verification,
  affected,
  taxonomy,
  fingerprint,
}: Partial<Finding>) => ({
  title,
  category,
  severity,
  verification,
  affected,
  taxonomy,
  fingerprint,
});

const findings = [
  ...severities.map((severity, index) =>
    findingOf({
      severity,
      id: `F-${index + 1}`,
      fingerprint: fingerprintOf(index),
      taxonomy: ['CWE-639', 'OWASP A01:2021'],
    }),
  ),
  findingOf({
    id: 'F-6',
    fingerprint: fingerprintOf(6),
    verification: 'needs_review',
    category: 'sql_injection',
    affected: { component: 'search', route: '/search', origin: 'https://example.com' },
    taxonomy: ['CWE-89'],
  }),
  findingOf({
    id: 'F-7',
    fingerprint: fingerprintOf(7),
    affected: { component: 'x', file: 'a b/ü%20.ts', lineStart: 3, lineEnd: 4 },
    taxonomy: [],
  }),
];

describe('an export that is imported again', () => {
  test.each([undefined, 'github' as const])(
    'keeps severity, location, weaknesses and identity (%s)',
    (profile) => {
      const { findings: imported, warnings, tools } = importSarif(exported(findings, profile));
      const expected = findings.map((finding) => ({
        ...kept(finding),
        taxonomy: finding.taxonomy?.length === 0 ? undefined : finding.taxonomy,
      }));
      expect(new Set(imported.map(kept))).toEqual(new Set(expected));
      expect(tools).toEqual([{ name: 'svc', version: '0.1.0', findings: findings.length }]);
      expect(warnings).toEqual([]);
    },
  );

  test('keeps decisions', () => {
    const decided = [
      findingOf({ status: 'accepted_risk', fingerprint: fingerprintOf(1) }),
      findingOf({ id: 'F-2', status: 'false_positive', fingerprint: fingerprintOf(2) }),
      findingOf({ id: 'F-3', status: 'open', fingerprint: fingerprintOf(3) }),
    ];
    const { findings: imported } = importSarif(exported(decided));
    expect(imported.map(({ status }) => status)).toEqual(['accepted_risk', 'false_positive', undefined]);
  });

  test('has the same findings, even after another export and import', () => {
    const at = '2026-01-02T03:04:05.000Z';
    const once = addFindings(noFindings, importSarif(exported(findings)).findings, at).set;
    const again = importSarif(exported([...once.findings])).findings;
    expect(again.map(kept)).toEqual(once.findings.map(kept));
  });

  test('has severity and location in standard fields, for other tools', () => {
    const log = JSON.parse(exported(findings)) as Log;
    log.runs[0]!.tool.driver.name = 'Other';
    const { findings: imported } = importSarif(JSON.stringify(log));
    // Results of other tools are not verified, so at most high. SARIF has one level for low and info.
    expect(imported.map(({ severity }) => severity)).toEqual([
      'high',
      'high',
      'medium',
      'low',
      'low',
      'high',
      'high',
    ]);
    expect(imported.map(({ affected: { file } }) => file)).toEqual(
      findings.map(({ affected: { file } }) => file),
    );
    expect(imported.map(({ taxonomy = [] }) => taxonomy.includes('CWE-639'))).toEqual([
      true,
      true,
      true,
      true,
      true,
      false,
      true,
    ]);
  });

  test('ignores properties that a finding cannot have', () => {
    const log = JSON.parse(exported(findings.slice(0, 1))) as Log;
    const [result] = log.runs[0]!.results!;
    result!.properties = {
      ...result!.properties,
      severity: 'fatal',
      verification: 'certain',
      category: 'Not Snake',
      title: 'x',
      affected: { component: 7, lineStart: -1 },
      taxonomy: ['x'.repeat(65)],
    };
    result!.partialFingerprints = { 'svcFingerprint/v1': 'not one' };
    const [finding] = importSarif(JSON.stringify(log)).findings;
    expect(finding).toMatchObject({
      title: 'Broken access control (critical)',
      severity: 'high',
      verification: 'needs_review',
      affected: { component: 'orders api', file: 'src/orders/read.ts', lineStart: 40, lineEnd: 52 },
    });
    expect(finding!.category).toMatch(/^[a-z_]+$/);
    expect(finding!.fingerprint).toMatch(/^[0-9a-f]{64}$/);
  });

  const rich = [
    findingOf({
      id: 'F-1',
      fingerprint: fingerprintOf(1),
      title: 'A [title] with (1) of all',
      summary: 'It reads [a value](1) of \\[x\\], and\n\n- a list of two',
      remediation: '# Do this\n\n| a | b |\n|---|---|\n| 1 | `2` |',
      reproduction: 'curl https://example.com',
      references: ['https://example.com/a', 'A book on it'],
      tags: ['tool:Semgrep', 'rule:no-eval', 'area:src', 'weak-identity', 'other', 'security'],
      firstSeenAt: '2024-01-02T03:04:05.678Z',
      affected: { component: 'orders', file: 'src/a.ts', lineStart: 3, lineEnd: 5 },
      evidence: [
        {
          kind: 'source',
          description: 'It is [here](2).',
          location: 'src/a.ts:3:7-5:2',
          snippet: 'a(\n b\n)',
        },
        { kind: 'source', description: 'And in the same place.', location: 'src/a.ts:3', snippet: 'a(' },
        {
          kind: 'runtime',
          description: 'It was seen at work.',
          location: 'GET /orders',
          snippet: '200',
          redacted: true,
        },
        { kind: 'source', description: 'Step 1 of 1: from here', location: 'src/ü b.ts:9:1' },
        { kind: 'other', description: 'It has neither a place nor a quote.' },
      ],
      corroboration: [
        { kind: 'source', description: 'Another has seen it.', location: 'src/c.ts:1:2-1:4', snippet: 'c()' },
      ],
      secretReferences: [
        { label: 'Token', kind: 'npm', fingerprint: 'ab'.repeat(32), location: 'src/a.ts:3' },
      ],
    }),
    findingOf({ id: 'F-2', fingerprint: fingerprintOf(2), tags: ['tool:CodeQL'], severity: 'critical' }),
    findingOf({ id: 'F-3', fingerprint: fingerprintOf(3), firstSeenAt: AT, status: 'accepted_risk' }),
  ];
  const tools = [
    { name: 'Semgrep', version: '1.2.3', findings: 1 },
    { name: 'CodeQL', findings: 1 },
  ];

  test('keeps every text, location, reference, tag and time', () => {
    const { findings: imported, warnings } = importSarif(exported(rich));
    const expected = rich.map(({ id: _, status, ...finding }) => ({
      ...finding,
      firstSeenAt: finding.firstSeenAt ?? AT,
      ...(status === 'accepted_risk' && { status }),
    }));
    expect(imported).toEqual(expected);
    expect(warnings).toEqual(['1 result set to accepted risk: suppressed in the log.']);
  });

  const altered = (findingsOfLog: Finding[], change: (results: Record<string, unknown>[]) => void) => {
    const log = JSON.parse(exported(findingsOfLog)) as { runs: { results: Record<string, unknown>[] }[] };
    change(log.runs[0]?.results ?? []);
    return addResults(noFindings, importSarif(JSON.stringify(log)).findings, AT).set.findings;
  };

  test('has results at least as severe as their level and score, regardless of their properties', () => {
    const severitiesOf = (findingsOfLog: Finding[], severity: string, more = {}) =>
      altered(findingsOfLog, (results) => {
        for (const each of results)
          Object.assign(each, { properties: { ...(each['properties'] as object), severity }, ...more });
      }).map((finding) => finding.severity);
    expect(severitiesOf(findings.slice(0, 5), 'info')).toEqual(['critical', 'high', 'medium', 'low', 'info']);
    expect(severitiesOf(findings.slice(3, 5), 'info', { level: 'error' })).toEqual(['high', 'high']);
    expect(severitiesOf(findings.slice(3, 5), 'info', { level: 'warning' })).toEqual(['medium', 'medium']);
    expect(severitiesOf(findings.slice(3, 5), 'high', { level: 'note' })).toEqual(['high', 'high']);
  });

  test('merges equal fingerprints into one finding, at the worst severity and open if one of them is', () => {
    const low = findingOf({ fingerprint: fingerprintOf(1), severity: 'low', status: 'accepted_risk' });
    const high = findingOf({
      id: 'F-2',
      fingerprint: fingerprintOf(1),
      severity: 'high',
      title: 'Another title',
    });
    for (const both of [
      [low, high],
      [high, low],
    ])
      expect(altered(both, () => undefined)).toMatchObject([{ severity: 'high', status: 'open' }]);
    expect(altered([low], () => undefined)).toMatchObject([{ severity: 'low', status: 'accepted_risk' }]);
  });

  test('lists the scanners of the findings, and svc for the others', () => {
    const scan = { ...reportOf().scan, tools };
    const { tools: imported } = importSarif(exportedReport({ findings: rich, scan }));
    expect(imported).toEqual([...tools, { name: 'svc', version: '0.1.0', findings: 1 }]);
    const tagged = rich.slice(0, 2);
    expect(importSarif(exportedReport({ findings: tagged, scan })).tools).toEqual(tools);
  });

  test.each([undefined, 'github' as const])(
    'gives the same file when it is exported again (%s)',
    (profile) => {
      // The profile for GitHub has another order, and no suppressed results.
      const first = exported(profile === undefined ? rich : rich.slice(0, 1), profile);
      const { set } = addFindings(noFindings, importSarif(first).findings, AT);
      const second = exported([...set.findings], profile);
      expect(JSON.parse(second)).toEqual(JSON.parse(first));
      expect(second).toHaveLength(first.length);
    },
  );

  test('gives the same file when it is exported again, for any finding', () => {
    const texts = fc.string({
      unit: fc.constantFrom('a', ' ', '\n', '[', ']', '(', ')', '1', '\\', '#', '|', '`'),
      minLength: 20,
      maxLength: 60,
    });
    const evidence = fc.record(
      {
        kind: fc.constantFrom('source' as const, 'runtime' as const),
        description: texts,
        snippet: texts,
        location: fc.constantFrom('src/a.ts:3:4-3:9', 'src/a.ts:3', 'src/b.ts', 'src/b.ts:7:1', 'GET /x', ''),
        redacted: fc.boolean(),
      },
      { requiredKeys: ['kind', 'description'], noNullPrototype: true },
    );
    const parts = fc.record({
      summary: texts,
      impact: texts,
      remediation: texts,
      verificationPlan: texts,
      evidence: fc.array(evidence, { minLength: 1, maxLength: 5 }),
      corroboration: fc.array(evidence, { maxLength: 3 }),
      tags: fc.uniqueArray(texts.map((text) => text.slice(0, 20)).filter((text) => text.trim() !== '')),
    });
    fc.assert(
      fc.property(parts, (changes) => {
        const affected = { component: 'a', file: 'src/a.ts', lineStart: 3, lineEnd: 3 };
        const one = findingOf({ ...changes, affected, fingerprint: fingerprintOf(1), firstSeenAt: AT });
        const first = exported([one]);
        const { set } = addFindings(noFindings, importSarif(first).findings, AT);
        expect(JSON.parse(exported([...set.findings]))).toEqual(JSON.parse(first));
      }),
    );
  });
});

describe('the coverage of an export that is imported again', () => {
  const coverageAreas: CanonicalReport['coverageAreas'] = [
    { id: 'secrets', name: 'Secrets', status: 'partial', note: 'By the built-in secret search.' },
    { id: 'tool:Semgrep', name: 'Semgrep', status: 'not_covered', note: 'Semgrep failed: see [this](a b).' },
    { id: 'tool:secrets', name: 'secrets', status: 'covered' },
  ];
  const runOf = (text: string) => importSarif(text).toolRuns[0];
  const changed = (change: (run: Log['runs'][number]) => void) => {
    const log = JSON.parse(exportedReport({ coverageAreas })) as Log;
    change(log.runs[0]!);
    return JSON.stringify(log);
  };

  test('[D26] equals that of the report, with its agent', () => {
    const run = runOf(exportedReport({ coverageAreas }));
    expect(run).toMatchObject({ own: { areas: coverageAreas, agent: reportOf({}).scan.agent.name } });
    expect(run).not.toHaveProperty('failure');
  });

  test('[D26] equals that of the report, even if notifications name no areas', () => {
    const run = runOf(
      changed(({ invocations }) => {
        for (const notification of invocations![0]!.toolExecutionNotifications!) {
          delete notification.properties;
          notification.message.text = 'Semgrep failed: see [this](a b).';
        }
      }),
    );
    expect(run?.own?.areas).toEqual(coverageAreas);
    expect(run).not.toHaveProperty('failure');
  });

  test('[D26] is not_covered everywhere if the export reports another error', () => {
    const run = runOf(
      changed(({ invocations }) => {
        invocations![0]!.toolExecutionNotifications!.push({ level: 'error', message: { text: 'Other.' } });
      }),
    );
    expect(run?.failure).toMatchObject({ isPartial: false });
    expect(run?.own?.areas.every(({ status }) => status === 'not_covered')).toBe(true);
  });

  test('[D26] is at most partial if the export lacks findings of its report', () => {
    const two = [findingOf({ id: 'F-1' }), findingOf({ id: 'F-2' })];
    const log = JSON.parse(exportedReport({ findings: two, coverageAreas })) as Log;
    log.runs[0]!.results!.pop();
    for (const omitting of [
      JSON.stringify(log),
      changed(({ properties }) => Object.assign(properties!, { redactionNotice: 'Parts are hidden.' })),
      changed(({ properties }) =>
        Object.assign(properties!, { projectedFor: { principalType: 'anonymous' } }),
      ),
    ]) {
      const run = runOf(omitting);
      expect(run?.failure).toMatchObject({ isPartial: true });
      expect(run?.own?.areas.map(({ status }) => status)).toEqual(['partial', 'not_covered', 'partial']);
    }
  });

  test('[D26] has a partial area for each tool if the export has none and lacks findings', () => {
    const log = JSON.parse(
      exportedReport({ findings: [findingOf({ id: 'F-1' })], coverageAreas: [] }),
    ) as Log;
    const [run] = log.runs;
    run!.results = [];
    run!.tool.extensions = [{ name: 'Semgrep' }];
    expect(runOf(JSON.stringify(log))?.own?.areas).toMatchObject([{ id: 'tool:Semgrep', status: 'partial' }]);
  });
});
