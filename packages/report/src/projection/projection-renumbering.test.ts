import { limits, type SharePolicy } from '@svc/contract';
import { describe, expect, test } from 'vitest';
import { AT, findingOf, reportOf } from '../../test/samples.ts';
import { everything, projected } from '../../test/sharing.ts';

const without = (...ids: string[]): SharePolicy => ({
  ...everything,
  findings: { mode: 'deny_listed', ids },
});

/** The text of a limitation in a share of a report with these findings. */
function limitationText(text: string, ids: readonly string[], policy: SharePolicy): string | undefined {
  const findings = ids.map((id) => findingOf({ id }));
  return projected(reportOf({ findings, limitations: [text] }), policy).limitations?.[0];
}

test('[D9] findings get consecutive numbers in their order, regardless of their ids', () => {
  const findings = ['VULN-7', 'F-12', 'F-3', 'F-1'].map((id) => findingOf({ id }));
  const { findings: shown } = projected(reportOf({ findings }), without('F-12'));
  expect(shown?.map(({ id }) => id)).toEqual(['F-1', 'F-2', 'F-3']);
});

test('[D9] ids and mentions stay the same under a policy that leaves no findings out', () => {
  const findings = [findingOf({ id: 'VULN-7' })];
  const projection = projected(reportOf({ findings, limitations: ['See VULN-7 and F-3.'] }), everything);
  expect(projection.findings?.[0]?.id).toBe('VULN-7');
  expect(projection.limitations).toEqual(['See VULN-7 and F-3.']);
});

describe('mentions of findings', () => {
  const ids = ['F-3', 'VULN-7', 'F-9'];

  test.each([
    ['F-9', 'F-2'],
    ['F-3', '[redacted]'],
    ['F-1', '[redacted]'],
    ['F-09', '[redacted]'],
    ['VULN-7 (VULN-8)', 'F-1 ([redacted])'],
    ['f-9, Vuln-7, f-3', 'F-2, F-1, [redacted]'],
    ['F\u20119 F\u20139 F\u22123', 'F-2 F-2 [redacted]'],
    ['_F-9_ x/F-9.md F-9-F-3', '_F-2_ x/F-2.md F-2-[redacted]'],
    ['F-9の', 'F-2の'],
  ])('[D9] such as %s become %s', (text, expected) => {
    expect(limitationText(text, ids, without('F-3'))).toBe(expected);
  });

  test.each([
    'UTF-8, HALF-9 and OFF-3',
    'F-9x, xF-9, 2F-9, éF-9',
    'F-12345678',
    'F-\u0669',
    'F - 9, F9, F-',
    'ABCDEFGHF-9',
    'CWE-79, CVE-2021-44228',
    '-9',
  ])('[D9] are not found in %s', (text) => {
    expect(limitationText(text, ids, without('F-3'))).toBe(text);
  });

  test('[D9] with the prefix of a hidden finding stay, as if that finding did not exist', () => {
    expect(limitationText('VULN-7 VULN-8', ids, without('VULN-7'))).toBe('VULN-7 VULN-8');
    expect(limitationText('VULN-7 VULN-8', ids, without())).toBe('F-2 [redacted]');
  });

  test('[D9] are redacted if the findings are not listed', () => {
    const policy: SharePolicy = { ...without('F-3'), sections: { ids: ['limitations'] } };
    expect(limitationText('F-9 F-3 VULN-7', ids, policy)).toBe('[redacted] [redacted] VULN-7');
  });

  test('[D9] are renumbered in every text', () => {
    const text = 'as F-9 says, at length';
    const entry = { kind: 'other', description: text, snippet: text, location: text } as const;
    const finding = findingOf({
      id: 'F-9',
      title: text,
      summary: text,
      impact: text,
      remediation: text,
      verificationPlan: text,
      reproduction: text,
      affected: { component: text, file: text, route: text, origin: text },
      evidence: [entry],
      corroboration: [entry],
      taxonomy: [text],
      references: [text],
      tags: [text],
      secretReferences: [{ label: text, kind: text, fingerprint: 'local', location: text }],
      fixHistory: [{ at: AT, action: 'applied', verified: true, changedFiles: [text], note: text }],
    });
    const report = reportOf({
      findings: [finding],
      methodologyVersion: text,
      project: { name: text, repositoryUrl: text, defaultBranch: text, languages: [text] },
      scan: {
        ...reportOf().scan,
        branch: text,
        agent: { name: text, version: text, model: text },
        host: { osFamily: text, arch: text, cliVersion: text },
        tools: [{ name: text, version: text }],
      },
      authorization: { basis: 'owner', scope: [text], grantedBy: text },
      coverage: [text],
      coverageAreas: [{ id: text, name: text, status: 'covered', note: text }],
      limitations: [text],
    });
    const timesIn = (value: unknown, what: string) => JSON.stringify(value).split(what).length - 1;
    const projection = projected(report, without());
    expect(timesIn(projection, 'as F-1 says')).toBe(timesIn(report, 'as F-9 says'));
    expect(timesIn(projection, 'F-9')).toBe(0);
  });

  test('[D9] are found in time that depends only on the length of the text', { tags: 'thorough' }, () => {
    const ids9 = Array.from({ length: limits.report.findingsMax }, (_, index) => `F-${index + 1}`);
    const long = 'F-F-F-1-1-'.repeat(100_000);
    const began = process.cpuUsage();
    expect(limitationText(long, ids9, without('F-1'))).toHaveLength('F-F-[redacted]-1-'.length * 100_000);
    // Processor time, which other programs do not affect.
    const { user, system } = process.cpuUsage(began);
    expect((user + system) / 1000).toBeLessThan(10_000);
  });
});
