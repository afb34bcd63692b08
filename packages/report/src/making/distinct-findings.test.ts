import { describe, expect, test } from 'vitest';
import { AT, findingOf, reportOf } from '../../test/samples.ts';
import { inconsistencies, summarize } from '../model/canonical.ts';
import { distinctFindings, withAllowedTags } from './distinct-findings.ts';

const fingerprint = 'ab'.repeat(32);
const one = findingOf({ id: 'F-1', fingerprint, severity: 'low', tags: ['tool:semgrep'] });

describe('findings with equal fingerprints', () => {
  test('[D8] of one tool and place become one finding, at the higher severity and with the evidence of both', () => {
    const evidence = [{ kind: 'runtime' as const, description: 'A request shows it.' }];
    const [finding, ...others] = distinctFindings(
      [one, { ...one, id: 'F-2', severity: 'high', evidence }],
      AT,
    );
    expect(others).toEqual([]);
    expect(finding).toMatchObject({ id: 'F-1', severity: 'high', corroboration: evidence });
  });

  test.each([
    ['tool', { tags: ['tool:bandit'] }],
    ['line', { affected: { ...one.affected, lineStart: 99 } }],
  ])('[D8] of another %s stay two findings with fingerprints of their own', (_what, change) => {
    const given = [one, { ...one, id: 'F-2', ...change }];
    const findings = distinctFindings(given, AT);
    expect(findings.map(({ id }) => id)).toEqual(['F-1', 'F-2']);
    expect(findings[0]).toEqual(one);
    expect(findings[1]?.fingerprint).toMatch(/^[0-9a-f]{64}$/);
    expect(findings[1]?.fingerprint).not.toBe(fingerprint);
    expect(distinctFindings(given, AT)).toEqual(findings);
  });

  test('[D8] different ones are left as they are', () => {
    const other = { ...one, id: 'F-2', fingerprint: 'cd'.repeat(32) };
    expect(distinctFindings([one, other], AT)).toEqual([one, other]);
  });
});

test('[D8] reserved tags that a report may not have are removed, and the report is accepted', () => {
  const areas = Array.from({ length: 9 }, (_, index) => `area:${index}`);
  const tags = [
    'own',
    'tool:unknown',
    'tool:Semgrep',
    'tool:semgrep',
    'rule:a',
    'rule:b',
    ...areas,
    'decision-lapsed',
  ];
  const report = reportOf();
  const scan = { ...report.scan, tools: [{ name: 'semgrep' }] };
  const findings = withAllowedTags([{ ...one, tags }], scan);
  expect(findings[0]?.tags).toEqual(['own', 'tool:Semgrep', 'rule:a', ...areas.slice(0, 8)]);
  expect(inconsistencies({ ...report, scan, findings, summary: summarize(findings) })).toEqual([]);
});
