import { CARRIED_TAG, findingStatuses, severities, type Finding } from '@svc/contract';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { AT, findingOf } from '../../test/samples.ts';
import { log, result, run } from '../../test/sarif.ts';
import { addFindings, noFindings } from '../intake/deduplication.ts';
import { importSarif } from '../sarif/import.ts';
import { succeed } from './succession.ts';

const LATER = '2026-04-01T00:00:00.000Z';
const fingerprint = 'a'.repeat(64);

describe('the next report', () => {
  test('[D12] carries over a finding that was set aside unless it has become more severe', () => {
    const severity = fc.constantFrom(...severities);
    const status = fc.constantFrom(...findingStatuses);
    fc.assert(
      fc.property(severity, severity, status, (before, now, decided) => {
        const previous = [findingOf({ id: 'F-9', fingerprint, severity: before, status: decided })];
        const { findings, carried } = succeed(previous, [findingOf({ fingerprint, severity: now })]);
        const isSetAside = decided === 'accepted_risk' || decided === 'false_positive';
        const isKept = isSetAside && severities.indexOf(now) >= severities.indexOf(before);
        expect(carried).toEqual(isKept ? ['F-1'] : []);
        expect(findings[0]?.status).toBe(isKept ? decided : 'open');
        expect(findings[0]?.tags ?? []).toEqual(isKept ? [CARRIED_TAG] : []);
      }),
    );
  });

  test('[D12] carries nothing over to a different finding', () => {
    const previous = [
      findingOf({ fingerprint, status: 'accepted_risk' }),
      findingOf({ status: 'accepted_risk' }),
    ];
    const current = [findingOf({ fingerprint: 'b'.repeat(64) }), findingOf()];
    expect(succeed(previous, current)).toEqual({ findings: current, carried: [], moves: [] });
  });

  test('[D12] does not change the status of a finding that is already set aside', () => {
    const current = [findingOf({ fingerprint, status: 'false_positive' })];
    const previous = [findingOf({ fingerprint, status: 'accepted_risk' })];
    expect(succeed(previous, current)).toEqual({ findings: current, carried: [], moves: [] });
  });

  test('[Finding] keeps the earliest time at which a finding was first seen', () => {
    const { findings } = succeed(
      [findingOf({ fingerprint, firstSeenAt: AT })],
      [findingOf({ fingerprint, firstSeenAt: LATER })],
    );
    expect(findings[0]?.firstSeenAt).toBe(AT);
  });

  test('[D8] has at most 32 tags on a finding after carrying over', () => {
    const tags = Array.from({ length: 32 }, (_, index) => `tag ${index}`);
    const previous = [findingOf({ fingerprint, status: 'accepted_risk' })];
    const [carried] = succeed(previous, [findingOf({ fingerprint, tags })]).findings;
    expect([carried?.tags?.length, carried?.tags?.at(-1)]).toEqual([32, CARRIED_TAG]);
  });

  test('[D26] carries nothing over to a finding with a weak identity', () => {
    const tags = ['weak-identity'];
    const previous = [findingOf({ fingerprint, tags, status: 'accepted_risk' })];
    expect(succeed(previous, [findingOf({ fingerprint, tags })])).toMatchObject({ carried: [], moves: [] });
  });

  test('[D26] lists the fingerprints that have changed', () => {
    const lines = ['start();', 'eval(a);', 'stop();'];
    const [before] = scanned({ 'src/a.ts': lines });
    const renamed = new Map([['src/a.ts', 'src/b.ts']]);
    const now = scanned({ 'src/b.ts': lines });
    const decided = [{ ...(before as Finding), status: 'accepted_risk' as const }];
    const { findings, carried, moves } = succeed(decided, now, { renamed });
    expect(carried).toEqual(['F-1']);
    expect(moves).toEqual([{ from: before?.fingerprint, to: findings[0]?.fingerprint }]);
  });

  test('[D12] keeps the fingerprints of findings in equal lines', () => {
    const three = ['x();', 'eval(a);', 'x();', 'eval(a);', 'x();', 'eval(a);', 'x();'];
    const before = scanned({ a: three });
    const lineNow = (_file: string, line: number) => (line < 3 ? undefined : line - 2);
    const { findings, moves } = succeed(before, scanned({ a: three.slice(2) }), { lineNow });
    expect(findings.map((finding) => finding.fingerprint)).toEqual(
      before.slice(1).map((finding) => finding.fingerprint),
    );
    expect(moves).toEqual([]);
    const added = succeed(before.slice(1), scanned({ a: three }), {
      lineNow: (_file, line) => line,
    });
    const known = new Set(before.slice(1).map((finding) => finding.fingerprint));
    expect(added.findings.map((finding) => known.has(finding.fingerprint))).toEqual([false, true, true]);
    expect(new Set(added.findings.map((finding) => finding.fingerprint)).size).toBe(3);
  });

  test('[D12] gives each of three findings in equal lines its own fingerprint', () => {
    const lines = ['x();', 'eval(a);', 'x();', 'eval(a);', 'x();', 'eval(a);', 'x();'];
    const [first, second] = scanned({ a: lines.slice(2) });
    const lineNow = (_file: string, line: number) => line + 2;
    for (const previous of [[first], [second], [first, second]]) {
      const { findings } = succeed(previous as Finding[], scanned({ a: lines }), { lineNow });
      expect(new Set(findings.map((finding) => finding.fingerprint)).size).toBe(3);
    }
  });

  test('[D12] keeps the fingerprints of findings that their tool has numbered', () => {
    const three = ['x();', 'eval(a);', 'y();', 'eval(a);', 'z();', 'eval(a);', 'w();'];
    const before = numbered(three);
    const lineNow = (_file: string, line: number) => (line < 3 ? { first: 1, last: 0 } : line - 2);
    const { findings, moves } = succeed(before, numbered(three.slice(2)), { lineNow });
    expect(findings.map((finding) => finding.fingerprint)).toEqual(
      before.slice(1).map((finding) => finding.fingerprint),
    );
    expect(moves).toEqual([]);
  });

  test('[D12] does not reuse a fingerprint that the service knows for another finding', () => {
    const lines = ['x();', 'eval(a);', 'y();'];
    const [known] = scanned({ 'src/a.ts': lines });
    const [renamed] = scanned({ 'src/b.ts': lines });
    const pending = [{ from: known?.fingerprint ?? '', to: renamed?.fingerprint ?? '' }];
    const added = scanned({ 'src/a.ts': lines, 'src/b.ts': lines });
    const lineNow = (_file: string, line: number) => line;
    const { findings } = succeed([renamed as Finding], added, { lineNow }, pending);
    expect(findings[1]?.fingerprint).toBe(renamed?.fingerprint);
    expect(findings[0]?.fingerprint).not.toBe(known?.fingerprint);
    // The same finding may get its own fingerprint back.
    const back = new Map([['src/b.ts', 'src/a.ts']]);
    const returned = succeed(
      [renamed as Finding],
      scanned({ 'src/a.ts': lines }),
      { renamed: back },
      pending,
    );
    expect(returned.findings[0]?.fingerprint).toBe(known?.fingerprint);
  });
});

/** Findings with the fingerprints of a tool that hashes lines and numbers equal ones. */
function numbered(lines: readonly string[]): readonly Finding[] {
  let count = 0;
  const results = lines.flatMap((line, index) => {
    if (!line.includes('eval')) return [];
    count += 1;
    return [result({ partialFingerprints: { primaryLocationLineHash: `abc:${count}` } }, 'a', index + 1)];
  });
  const { findings } = importSarif(log(run(results)), { linesOf: () => lines });
  return addFindings(noFindings, findings, AT).set.findings;
}

function scanned(files: Readonly<Record<string, readonly string[]>>): readonly Finding[] {
  const results = Object.entries(files).flatMap(([file, lines]) =>
    lines.flatMap((line, index) => (line.includes('eval') ? [result({}, file, index + 1)] : [])),
  );
  const { findings } = importSarif(log(run(results)), { linesOf: (file) => files[file] });
  return addFindings(noFindings, findings, AT).set.findings;
}
