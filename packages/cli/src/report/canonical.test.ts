import type { Finding } from '@svc/contract';
import { expect, test } from 'vitest';
import { AT, newReport, submission } from '../../test/local-reports.ts';
import type { LocalReport } from '../store/local-report.ts';
import { canonicalReport } from './canonical.ts';

test('[D24] a report of an older version can be made though its texts have no room for what replaces a secret', () => {
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
  } as unknown as LocalReport;
  const { report } = canonicalReport(local, { findings: [finding] }, { at: AT, homes: [] });
  expect(JSON.stringify(report)).not.toMatch(/AKIA/);
  expect(report.findings[0]?.title).toHaveLength(240);
  expect(report.findings[0]?.tags?.[1]).toBe('kept');
});
