import { Finding, limits } from '@svc/contract';
import fc from 'fast-check';
import { Compile } from 'typebox/compile';
import { describe, expect, test } from 'vitest';
import { at, findingOf, imported, log, result, run } from '../test/sarif.ts';
import { importSarif, SarifError } from './sarif-import.ts';

const validator = Compile(Finding);
/** What the schema of reports says against the findings of a log. */
const breaches = (text: string | Uint8Array) =>
  importSarif(text).findings.filter((finding) => !validator.Check({ id: 'F-1', ...finding }));

describe('logs', () => {
  test('a result becomes a finding that keeps to the schema', () => {
    const { findings, tools, warnings, redactions } = importSarif(log(run([result()])));
    expect({ tools, warnings, redactions }).toEqual({
      tools: [{ name: 'Scanner', findings: 1 }],
      warnings: [],
      redactions: 0,
    });
    expect(findings).toEqual([
      {
        title: 'Code is made of text that a stranger may have written.',
        category: 'no_eval',
        severity: 'medium',
        verification: 'needs_review',
        summary: 'Code is made of text that a stranger may have written.',
        impact: 'Not stated by Scanner, which gives no-eval the level warning.',
        affected: { component: 'Scanner', file: 'src/a.ts', lineStart: 7, lineEnd: 7 },
        evidence: [
          {
            kind: 'source',
            description: 'Code is made of text that a stranger may have written.',
            location: 'src/a.ts:7',
          },
        ],
        remediation: 'Scanner gives no more advice on no-eval with its result.',
        verificationPlan: 'Run Scanner again and see that it no longer reports no-eval there.',
        fingerprint: expect.stringMatching(/^[0-9a-f]{64}$/),
      },
    ]);
    expect(breaches(log(run([result()])))).toEqual([]);
  });

  test.each<[string, string | Uint8Array]>([
    ['a byte-order mark', `\ufeff${log(run([result()]))}`],
    ['UTF-8 with a byte-order mark', Buffer.from(`\ufeff${log(run([result()]))}`)],
    ['UTF-16, little end first', Buffer.from(`\ufeff${log(run([result()]))}`, 'utf16le')],
    ['UTF-16, big end first', Buffer.from(`\ufeff${log(run([result()]))}`, 'utf16le').swap16()],
    [
      'bytes that are no UTF-8',
      Buffer.concat([
        Buffer.from(log(run([result()]))).subarray(0, -1),
        Buffer.from(',"x":"\xff"}', 'latin1'),
      ]),
    ],
  ])('is read with %s', (_name, bytes) => {
    expect(importSarif(bytes).findings).toEqual(importSarif(log(run([result()]))).findings);
  });

  test.each<[string, string, RegExp]>([
    ['nothing', ' \n', /empty/],
    ['no JSON', '<sarif/>', /not JSON/],
    ['JSON that is cut off', log(run([result()])).slice(0, -9), /not JSON/],
    ['other JSON', '[{"results": []}]', /no SARIF log.*SARIF 2\.1\.0/],
    ['no runs', '{"version": "2.1.0"}', /no SARIF log/],
    ['no version', '{"runs": []}', /no SARIF log/],
    ['SARIF 1.0.0', '{"version": "1.0.0", "runs": []}', /another version.*transform/],
    ['SARIF 2.0.0', '{"version": "2.0.0-csd.2.beta.2019-01-24", "runs": []}', /another version/],
    ['too much', ' '.repeat(64 * 1024 * 1024 + 1), /larger than 64 MiB/],
    ['deep nesting', '['.repeat(1_000_000), /not JSON/],
  ])('with %s are refused, and it is said what to do', (_name, text, message) => {
    expect(() => importSarif(text)).toThrow(SarifError);
    expect(() => importSarif(text)).toThrow(message);
  });

  test('without a version are known by their schema', () => {
    const text = JSON.stringify({
      $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
      runs: [run([result()])],
    });
    expect(importSarif(text).findings).toHaveLength(1);
  });

  test('without runs and without results say so', () => {
    expect(importSarif(log()).warnings).toEqual([
      'The log holds no run: the scanner may not have run to its end.',
    ]);
    expect(importSarif(log({ tool: { driver: { name: 'T' } } })).warnings).toEqual([
      'T recorded no results: see whether its scan ran.',
    ]);
    expect(importSarif(log(run([]))).warnings).toEqual([]);
    expect(importSarif(log(run([], [], { invocations: [{ executionSuccessful: false }] }))).warnings).toEqual(
      ['Scanner says that its scan failed: its results may not be all.'],
    );
    const elsewhere = { externalPropertyFileReferences: { results: [{ location: { uri: 'r.json' } }] } };
    expect(importSarif(log({ ...run([]), results: undefined, ...elsewhere })).warnings).toEqual([
      'Scanner keeps results in other files, which are not read: have it write one file.',
    ]);
  });

  test('with several runs name each tool, and count what each found', () => {
    const other = { tool: { driver: { name: 'Other', semanticVersion: '2.0.1', version: '2' } } };
    const { tools, findings } = importSarif(log(run([result()]), { ...run([result()]), ...other }, run([])));
    expect(tools).toEqual([
      { name: 'Scanner', findings: 1 },
      { name: 'Other', version: '2.0.1', findings: 1 },
    ]);
    expect(findings).toHaveLength(2);
  });

  test('[D8] with more results than a report may hold lose the least severe ones', () => {
    const many = Array.from({ length: limits.report.findingsMax + 2 }, (_, index) =>
      result({ level: index < 2 ? 'note' : 'error' }, 'src/a.ts', index + 1),
    );
    const { findings, warnings } = importSarif(log(run(many)));
    expect(findings).toHaveLength(limits.report.findingsMax);
    expect(findings.every(({ severity }) => severity === 'high')).toBe(true);
    expect(warnings).toEqual(['2 results left out, the least severe ones: a report holds 10000.']);
  });

  test('whose parts are of another kind than they should be lose those parts and no more', () => {
    const anything = fc.oneof(
      fc.constantFrom(null, 7, -1, true, '', 'x', [], {}, [null], [{}]),
      fc.jsonValue(),
    );
    const names = (list: string) => fc.constantFrom(...list.split(' '));
    const parts = fc.dictionary(
      names(
        'ruleId ruleIndex rule message level kind locations suppressions codeFlows relatedLocations properties ' +
          'taxa fixes partialFingerprints baselineState analysisTarget',
      ),
      anything,
    );
    const rule = fc.dictionary(
      names(
        'id name shortDescription fullDescription help helpUri properties relationships defaultConfiguration messageStrings',
      ),
      anything,
    );
    fc.assert(
      fc.property(parts, rule, fc.array(anything), anything, (more, described, results, tool) => {
        const text = log(run([result(more)], [described]), { tool, results });
        expect(breaches(text)).toEqual([]);
      }),
    );
  });
});

describe('results', () => {
  test('that state no problem or are gone are left out, and counted', () => {
    const kinds = ['pass', 'notApplicable', 'informational', 'fail', 'open', 'review'];
    const results = kinds.map((kind, index) => result({ kind }, 'src/a.ts', index + 1));
    const { findings, warnings } = importSarif(log(run([...results, result({ baselineState: 'absent' })])));
    expect(findings.map(({ severity, affected }) => [severity, affected.lineStart])).toEqual([
      ['medium', 4],
      ['low', 5],
      ['low', 6],
    ]);
    expect(warnings).toEqual([
      '3 results left out: passed, not applicable or only informational.',
      '1 result left out: gone since the baseline of the log.',
    ]);
  });

  test('that are repeated count once', () => {
    const { findings, warnings } = importSarif(log(run([result(), result(), result({}, 'src/b.ts')])));
    expect(findings).toHaveLength(2);
    expect(warnings).toEqual(['1 result left out: the same as an earlier one.']);
  });

  test.each<[string, unknown, boolean]>([
    ['in the source', [{ kind: 'inSource' }], true],
    ['by agreement', [{ kind: 'external', status: 'accepted' }], true],
    ['nowhere', [], false],
    ['and nobody agreed', [{ kind: 'external', status: 'underReview' }], false],
    ['and somebody refused', [{ kind: 'inSource' }, { kind: 'external', status: 'rejected' }], false],
  ])('[D11] suppressed %s', (_name, suppressions, isAccepted) => {
    const { only, warnings } = imported(log(run([result({ suppressions })])));
    expect(only.status).toBe(isAccepted ? 'accepted_risk' : undefined);
    expect(warnings).toEqual(isAccepted ? ['1 result taken as accepted risk: suppressed in the log.'] : []);
  });

  test('that are suppressed keep the reason', () => {
    const suppressions = [{ kind: 'inSource', justification: 'Only run on text of our own.' }];
    expect(findingOf({ suppressions }).evidence[1]).toEqual({
      kind: 'other',
      description: 'Suppressed by the scan. Only run on text of our own.',
    });
  });
});

describe('identity', () => {
  const line = (text: string, startLine: number, more = {}) =>
    result({ locations: [at({ uri: 'src/a.ts' }, { startLine, snippet: { text } })], ...more });
  const fingerprints = (...results: Record<string, unknown>[]) =>
    importSarif(log(run(results))).findings.map(({ fingerprint }) => fingerprint);

  test('[D12] the same log gives the same findings', () => {
    const text = log(run([line('eval(a)', 1), line('eval(b)', 2)]));
    expect(importSarif(text)).toEqual(importSarif(text));
  });

  test('[D12] lines that move and white space that changes leave it alone', () => {
    expect(fingerprints(line('eval(a)', 1))).toEqual(fingerprints(line('   eval(a)\n', 80)));
    const message = { text: 'Value set at line 4 is used.' };
    const moved = { text: 'Value set at line 40 is used.' };
    expect(fingerprints(result({ message }))).toEqual(
      fingerprints(result({ message: moved }, 'src/a.ts', 70)),
    );
    const context = (startLine: number) =>
      result({
        locations: [
          at(
            { uri: 'a.ts' },
            { startLine: startLine + 1 },
            { contextRegion: { startLine, snippet: { text: `${startLine}\neval(a)\n` } } },
          ),
        ],
      });
    expect(fingerprints(context(1))).toEqual(fingerprints(context(50)));
  });

  test('[D12] where the repository lies leaves it alone', () => {
    const there = (root: string) =>
      imported(log(run([result({}, `file://${root}/src/a.ts`)])), { roots: [root] }).only.fingerprint;
    expect(there('/home/one/repo')).toBe(there('/ci/work'));
  });

  test('[D12] fifty results of one rule stay fifty', () => {
    const same = Array.from({ length: 50 }, (_, index) => line('eval(a)', index + 1));
    expect(new Set(fingerprints(...same)).size).toBe(50);
    const partialFingerprints = { primaryLocationLineHash: 'f00' };
    const given = Array.from({ length: 50 }, (_, index) =>
      line('eval(a)', index + 1, { partialFingerprints }),
    );
    expect(new Set(fingerprints(...given)).size).toBe(50);
  });

  test('[D12] the tool’s own fingerprints count more than the line, where they say something', () => {
    const partialFingerprints = { primaryLocationLineHash: 'f00' };
    expect(fingerprints(line('a', 1, { partialFingerprints }))).toEqual(
      fingerprints(line('b', 9, { partialFingerprints })),
    );
    const weak = { scanFileHash: '1', email: 'x@example.com', id: 'requires login', broken: {} };
    expect(fingerprints(line('a', 1, { partialFingerprints: weak }))).toEqual(fingerprints(line('a', 1)));
  });
});
