/** What went out as SARIF comes in again: with what it was, how bad, where, and as the same finding. */
import { severities, type Finding } from '@svc/contract';
import type { Log } from 'sarif';
import { describe, expect, test } from 'vitest';
import { findingOf, reportOf } from '../../test/samples.ts';
import { addFindings, noFindings } from '../deduplication.ts';
import { wholeProjection } from '../projection.ts';
import { importSarif } from '../sarif-import.ts';
import { renderSarif } from './sarif.ts';

const fingerprintOf = (index: number) => String(index).padStart(64, '0');

function exported(findings: Finding[], profile?: 'github'): string {
  const reportId = `rep_${'0'.repeat(26)}`;
  const projection = wholeProjection(reportOf({ findings }), {
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
    'keeps severity, place, weaknesses and identity (%s)',
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

  test('keeps what was decided', () => {
    const decided = [
      findingOf({ status: 'accepted_risk', fingerprint: fingerprintOf(1) }),
      findingOf({ id: 'F-2', status: 'false_positive', fingerprint: fingerprintOf(2) }),
      findingOf({ id: 'F-3', status: 'open', fingerprint: fingerprintOf(3) }),
    ];
    const { findings: imported } = importSarif(exported(decided));
    expect(imported.map(({ status }) => status)).toEqual(['accepted_risk', 'false_positive', undefined]);
  });

  test('is the same set of findings, and stays so at the next import', () => {
    const at = '2026-01-02T03:04:05.000Z';
    const once = addFindings(noFindings, importSarif(exported(findings)).findings, at).set;
    const again = importSarif(exported([...once.findings])).findings;
    expect(again.map(kept)).toEqual(once.findings.map(kept));
  });

  test('lets other tools read severity and place without knowing ours', () => {
    const log = JSON.parse(exported(findings)) as Log;
    log.runs[0]!.tool.driver.name = 'Other';
    const { findings: imported } = importSarif(JSON.stringify(log));
    // Nobody has verified what another tool says, so its worst is high; and SARIF has one level for low and info.
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

  test('takes only words that a finding may bear', () => {
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
});
