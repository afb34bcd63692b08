import { Finding, limits } from '@svc/contract';
import fc from 'fast-check';
import { Compile } from 'typebox/compile';
import { describe, expect, test } from 'vitest';
import { findingOf, imported, log, result, run } from '../../test/sarif.ts';
import { importSarif, SarifError } from './import.ts';

const validator = Compile(Finding);
/** The findings of a log that violate the schema of reports. */
const breaches = (text: string | Uint8Array) =>
  importSarif(text).findings.filter((finding) => !validator.Check({ id: 'F-1', ...finding }));

describe('logs', () => {
  test('a result becomes a finding that satisfies the schema', () => {
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
        remediation: 'Scanner gives no further advice on no-eval.',
        verificationPlan: 'Run Scanner again and check that it no longer reports no-eval there.',
        tags: ['tool:Scanner', 'rule:no-eval', 'weak-identity'],
        fingerprint: expect.stringMatching(/^[0-9a-f]{64}$/),
      },
    ]);
    expect(breaches(log(run([result()])))).toEqual([]);
  });

  test.each<[string, string | Uint8Array]>([
    ['text with a byte-order mark', `\ufeff${log(run([result()]))}`],
    ['UTF-8 with a byte-order mark', Buffer.from(`\ufeff${log(run([result()]))}`)],
    ['UTF-16, little-endian', Buffer.from(`\ufeff${log(run([result()]))}`, 'utf16le')],
    ['UTF-16, big-endian', Buffer.from(`\ufeff${log(run([result()]))}`, 'utf16le').swap16()],
    [
      'UTF-8 with an invalid byte',
      Buffer.concat([
        Buffer.from(log(run([result()]))).subarray(0, -1),
        Buffer.from(',"x":"\xff"}', 'latin1'),
      ]),
    ],
  ])('are read as %s', (_name, bytes) => {
    expect(importSarif(bytes).findings).toEqual(importSarif(log(run([result()]))).findings);
  });

  test.each<[string, string, RegExp]>([
    ['nothing', ' \n', /empty/],
    ['text that is not JSON', '<sarif/>', /not JSON/],
    ['truncated JSON', log(run([result()])).slice(0, -9), /is truncated/],
    ['other JSON', '[{"results": []}]', /not a SARIF log.*SARIF 2\.1\.0/],
    ['no runs', '{"version": "2.1.0"}', /not a SARIF log/],
    ['no version', '{"runs": []}', /not a SARIF log/],
    ['SARIF 1.0.0', '{"version": "1.0.0", "runs": []}', /not SARIF 2\.1\.0.*transform/],
    ['SARIF 2.0.0', '{"version": "2.0.0-csd.2.beta.2019-01-24", "runs": []}', /not SARIF 2\.1\.0/],
    [
      'too much besides its results',
      ' '.repeat(64 * 1024 * 1024 + 1),
      /more than 64 MiB besides its results/,
    ],
    ['deep nesting', '['.repeat(1_000_000), /not JSON/],
  ])('with %s are rejected with advice', (_name, text, message) => {
    expect(() => importSarif(text)).toThrow(SarifError);
    expect(() => importSarif(text)).toThrow(message);
  });

  test('without a version are recognized by their schema', () => {
    const text = JSON.stringify({
      $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
      runs: [run([result()])],
    });
    expect(importSarif(text).findings).toHaveLength(1);
  });

  test('without runs or results cause a warning', () => {
    expect(importSarif(log()).warnings).toEqual(['The log has no run: the scanner may not have finished.']);
    expect(importSarif(log({ tool: { driver: { name: 'T' } } })).warnings).toEqual([
      'T recorded no results. Check whether its scan ran.',
    ]);
    expect(importSarif(log(run([]))).warnings).toEqual([]);
    expect(importSarif(log(run([], [], { invocations: [{ executionSuccessful: false }] }))).warnings).toEqual(
      ['Scanner reports that its scan failed: its results may be incomplete.'],
    );
    const elsewhere = { externalPropertyFileReferences: { results: [{ location: { uri: 'r.json' } }] } };
    expect(importSarif(log({ ...run([]), results: undefined, ...elsewhere })).warnings).toEqual([
      'Scanner keeps results in other files, which are not read. Configure it to write one file.',
    ]);
  });

  test('with several runs list each tool with its number of findings', () => {
    const other = { tool: { driver: { name: 'Other', semanticVersion: '2.0.1', version: '2' } } };
    const { tools, findings } = importSarif(log(run([result()]), { ...run([result()]), ...other }, run([])));
    expect(tools).toEqual([
      { name: 'Scanner', findings: 1 },
      { name: 'Other', version: '2.0.1', findings: 1 },
    ]);
    expect(findings).toHaveLength(2);
  });

  test('[D8] with too many results for a report lose the least severe ones', () => {
    const many = Array.from({ length: limits.report.findingsMax + 2 }, (_, index) =>
      result({ level: index < 2 ? 'note' : 'error' }, 'src/a.ts', index + 1),
    );
    const { findings, warnings } = importSarif(log(run(many)));
    expect(findings).toHaveLength(limits.report.findingsMax);
    expect(findings.every(({ severity }) => severity === 'high')).toBe(true);
    expect(warnings).toEqual([
      '2 results left out, all of them low: a report can have at most 10,000 findings.',
    ]);
  });

  test('[D8] with too many results for a report keep an open one and lose a suppressed one', () => {
    const suppressed = { level: 'error', suppressions: [{ kind: 'inSource' }] };
    const many = Array.from({ length: limits.report.findingsMax }, (_, index) =>
      result(suppressed, 'src/a.ts', index + 1),
    );
    const { findings, toolRuns } = importSarif(log(run([...many, result({ level: 'note' }, 'src/b.ts')])));
    expect(findings.filter(({ status }) => status !== 'accepted_risk')).toMatchObject([
      { severity: 'low', affected: { file: 'src/b.ts' } },
    ]);
    expect(toolRuns).toMatchObject([
      {
        failure: {
          isPartial: true,
          sentence: 'Scanner has more results than a report can contain: 1 result is left out.',
        },
      },
    ]);
    expect(toolRuns[0]).not.toHaveProperty('leftOut');
  });

  test('[D8] with too many results for a report rank them by the severity of their findings', () => {
    const capped = { id: 'missing-security-header', properties: { 'security-severity': '9.9' } };
    const many = Array.from({ length: limits.report.findingsMax }, (_, index) =>
      result({ ruleId: capped.id }, 'src/a.ts', index + 1),
    );
    const worse = result({ ruleId: 'rce', level: 'error' }, 'src/b.ts');
    const { findings, toolRuns } = importSarif(log(run([...many, worse], [capped])));
    expect(findings.filter(({ severity }) => severity === 'high')).toHaveLength(1);
    expect(toolRuns).toMatchObject([{ leftOut: { critical: 0, high: 0, medium: 1 } }]);
  });

  test('[D8] with too many results for a report name the runs that lost some', () => {
    const many = Array.from({ length: limits.report.findingsMax }, (_, index) =>
      result({ level: 'error' }, 'src/a.ts', index + 1),
    );
    const other = { ...run([result({ level: 'note' })]), tool: { driver: { name: 'Other' } } };
    const { toolRuns } = importSarif(log(run(many), other));
    expect(toolRuns.map(({ tool, failure }) => [tool, failure?.isPartial])).toEqual([
      ['Scanner', undefined],
      ['Other', true],
    ]);
  });

  test('of any size are read in pieces of at most 1 MiB', () => {
    const filler = 'x'.repeat(1000);
    const many = Array.from({ length: 20_000 }, (_, index) =>
      result({ message: { text: `${filler} ${index}` } }, 'src/a.ts', index + 1),
    );
    const bytes = Buffer.from(log(run(many)));
    const asked: number[] = [];
    const source = {
      length: bytes.length,
      read: (start: number, end: number) => {
        asked.push(end - start);
        return bytes.subarray(start, end);
      },
    };
    expect(importSarif(source).findings).toEqual(importSarif(bytes).findings);
    expect(bytes.length).toBeGreaterThan(16 * 1024 * 1024);
    expect(Math.max(...asked)).toBeLessThanOrEqual(1024 * 1024);
  });

  test('that are larger than 512 MiB are rejected', () => {
    const source = { length: 512 * 1024 * 1024 + 1, read: () => new Uint8Array() };
    expect(() => importSarif(source)).toThrow(/larger than 512 MiB/);
  });

  test('with parts of unexpected types still give valid findings', () => {
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
  test('that passed, do not apply or are absent are left out and counted', () => {
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
      '1 result left out: marked as absent in the log.',
    ]);
  });

  test('that are repeated become one finding', () => {
    const { findings, warnings } = importSarif(log(run([result(), result(), result({}, 'src/b.ts')])));
    expect(findings).toHaveLength(2);
    expect(warnings).toEqual(['1 result left out: identical to an earlier one.']);
  });

  test.each<[string, unknown, boolean]>([
    ['in the source', [{ kind: 'inSource' }], true],
    ['by an accepted decision', [{ kind: 'external', status: 'accepted' }], true],
    ['nowhere', [], false],
    ['by a decision under review', [{ kind: 'external', status: 'underReview' }], false],
    ['by a null entry', [null], false],
    ['by a text entry', ['inSource'], false],
    ['by an empty entry', [{}], false],
    ['with a status that is not text', [{ kind: 'external', status: 5 }], false],
    ['with only a status, which is not text', [{ status: 5 }], false],
    ['with a status of null', [{ kind: 'external', status: null }], false],
    ['in the source, beside a null entry', [{ kind: 'inSource' }, null], false],
    [
      'in the source, beside a rejected one',
      [{ kind: 'inSource' }, { kind: 'external', status: 'rejected' }],
      false,
    ],
  ])('[D11] suppressed %s have the right status', (_name, suppressions, isAccepted) => {
    const { only, warnings } = imported(log(run([result({ suppressions })])));
    expect(only.status).toBe(isAccepted ? 'accepted_risk' : undefined);
    expect(warnings).toEqual(isAccepted ? ['1 result set to accepted risk: suppressed in the log.'] : []);
  });

  test('that are suppressed keep the justification', () => {
    const suppressions = [{ kind: 'inSource', justification: 'Only run on text of our own.' }];
    expect(findingOf({ suppressions }).evidence[1]).toEqual({
      kind: 'other',
      description: 'Suppressed by the scan. Only run on text of our own.',
    });
  });
});

/** Makes a log too large to be parsed as a whole. */
const PADDING = ' '.repeat(17 * 1024 * 1024);

test('a large log, read result by result, gives the same findings as a small one', () => {
  const artifacts = [{ location: { uri: 'src/b.ts' }, contents: { text: 'left out' } }];
  const atArtifact = { locations: [{ physicalLocation: { artifactLocation: { index: 0 } } }] };
  const odd = [null, 7, [], result(), result(), { ...result(), ...atArtifact }];
  const logs = [
    log(run([result()])),
    JSON.stringify({
      ...JSON.parse(log(run([]))),
      runs: [{ ...JSON.parse(log(run([]))).runs[0], artifacts, results: odd }, null, {}],
    }),
    log(),
  ];
  for (const small of logs) expect(importSarif(small + PADDING)).toEqual(importSarif(small));
});
