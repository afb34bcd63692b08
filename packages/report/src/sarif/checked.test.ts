/** Compares every finding with its result, field by field, with a checker that shares no code with the import. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { costlyRuns } from '../../test/costly.ts';
import { log, result, type Part } from '../../test/sarif.ts';
import { differences } from '../../test/sarif-checker.ts';
import { importSarif } from './import.ts';

const rarely = { requiredKeys: [] as [], noNullPrototype: true };
const some = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined });
const words = fc
  .array(fc.constantFrom('a', 'user', 'value', 'reaches', 'the', 'query', 'ü', '[x]', '{0}', '`b`'), {
    minLength: 4,
    maxLength: 12,
  })
  .map((parts) => `Here ${parts.join(' ')} of it.`);
const link = fc.constantFrom('[a value](1)', '[a page](https://example.com/a?b=c#d)', '[nothing](77)');
const messages = fc
  .tuple(words, some(link), words)
  .map((parts) => ({ text: parts.filter(Boolean).join(' ') }));

const line = fc.integer({ min: 1, max: 9999 });
const region = fc
  .tuple(
    line,
    some(fc.nat(20)),
    some(fc.integer({ min: 1, max: 200 })),
    some(fc.integer({ min: 1, max: 200 })),
  )
  .map(([startLine, more, startColumn, endColumn]) => ({
    startLine,
    ...(more !== undefined && { endLine: startLine + more }),
    ...(startColumn !== undefined && { startColumn }),
    ...(endColumn !== undefined && { endColumn }),
  }));
const location = fc
  .tuple(
    fc.constantFrom('src/a.ts', 'src/b%20c/d.py', 'lib/ü.go'),
    some(region),
    messages,
    some(fc.constantFrom(1, 2)),
  )
  .map(([uri, found, message, id]) => ({
    physicalLocation: { artifactLocation: { uri }, ...(found && { region: found }) },
    message,
    ...(id !== undefined && { id }),
  }));
const flow = fc
  .array(location, { minLength: 1, maxLength: 60 })
  .map((steps) => ({ threadFlows: [{ locations: steps.map((step) => ({ location: step })) }] }));

const shortFlow = fc
  .array(location, { minLength: 1, maxLength: 4 })
  .map((steps) => ({ threadFlows: [{ locations: steps.map((step) => ({ location: step })) }] }));

const levels = fc.constantFrom('error', 'warning', 'note', 'none');
const scores = fc.constantFrom('9.8', '7.0', '5.1', '0.1', '0.0', 'unknown', 8);
const pages = fc.constantFrom(
  'https://example.com/rule',
  'not an address',
  `https://example.com/${'x'.repeat(500)}`,
);
const time = fc.constantFrom('2024-01-02T03:04:05Z', '2024-01-02T03:04:05.678+02:00');

const rules = ['no-eval', 'b.c.insecure-thing', 'B104', 'd6355c88-1e8d-49e9-b2f2-f8a1ca12c75b'];
const rule = (id: string) =>
  fc
    .record(
      {
        name: fc.constantFrom('InsecureThing', 'x'),
        shortDescription: messages,
        help: fc.constantFrom({
          text: 'Use something else here.',
          markdown: '# Use something else\n\n- this',
        }),
        helpUri: pages,
        defaultConfiguration: fc.record({ level: levels, rank: fc.nat(100) }, rarely),
        properties: fc.record(
          { 'security-severity': scores, tags: fc.constant(['CWE-79', 'style']) },
          rarely,
        ),
      },
      rarely,
    )
    .map((parts) => ({ id, ...parts }));

const results = fc.array(
  fc
    .tuple(
      fc.nat(rules.length - 1),
      fc.array(location, { minLength: 1, maxLength: 3 }),
      fc.record(
        {
          level: levels,
          rank: fc.nat(100),
          kind: fc.constantFrom('fail', 'pass', 'review', 'open'),
          baselineState: fc.constantFrom('new', 'absent', 'unchanged'),
          relatedLocations: fc.array(location, { maxLength: 80 }),
          codeFlows: fc.oneof(
            fc.array(flow, { maxLength: 3 }),
            fc.array(shortFlow, { minLength: 25, maxLength: 40 }),
          ),
          suppressions: fc.constantFrom(
            [],
            [{ kind: 'inSource' }],
            [{ kind: 'external', status: 'underReview' }],
          ),
          properties: fc.record({ 'security-severity': scores }, rarely),
          hostedViewerUri: pages,
          workItemUris: fc.array(pages, { maxLength: 3 }),
          fixes: fc.constantFrom([{ description: { text: 'Write something else here.' } }]),
          taxa: fc.constantFrom(
            [{ index: 1, toolComponent: { index: 0 } }],
            [{ id: '79', toolComponent: { name: 'CWE' } }],
          ),
          provenance: fc.record({ firstDetectionTimeUtc: time }),
        },
        rarely,
      ),
      messages,
    )
    .map(([index, locations, more, message]) =>
      result({ ruleId: rules[index], ruleIndex: index, ...more, locations, message }),
    ),
  { maxLength: 6 },
);

const runs = fc
  .tuple(
    results,
    fc.tuple(...rules.map(rule)),
    fc.constantFrom('Scanner', 'gitleaks', 'Checkov'),
    some(levels),
  )
  .map(([found, described, name, level]): Part => ({
    tool: { driver: { name, rules: described } },
    results: found,
    taxonomies: [{ name: 'CWE', taxa: [{ id: '22' }, { id: '502' }] }],
    ...(level !== undefined && {
      invocations: [
        {
          executionSuccessful: true,
          ruleConfigurationOverrides: [{ descriptor: { id: rules[0] }, configuration: { level } }],
        },
      ],
    }),
  }));

describe('an import of any results', () => {
  test('loses nothing that fits into a finding, and reports the rest', () => {
    fc.assert(
      fc.property(fc.array(runs, { minLength: 1, maxLength: 2 }), (given) => {
        const text = log(...given);
        expect(differences(text, importSarif(text))).toEqual([]);
      }),
      { numRuns: costlyRuns() },
    );
  });

  test.each<[string, (finding: Part) => Part]>([
    ['a severity', (finding) => ({ ...finding, severity: 'info' })],
    ['a line', (finding) => ({ ...finding, affected: { ...(finding['affected'] as Part), lineEnd: 99 } })],
    ['a reference', (finding) => ({ ...finding, references: [] })],
    ['the summary', (finding) => ({ ...finding, summary: 'Something else was reported by the tool.' })],
    ['a status', (finding) => ({ ...finding, status: 'accepted_risk' })],
    ['a tag', (finding) => ({ ...finding, tags: ['rule:no-eval'] })],
    [
      'columns',
      (finding) => ({
        ...finding,
        evidence: (finding['evidence'] as Part[]).map((item) => ({ ...item, location: 'src/a.ts:7' })),
      }),
    ],
    ['a step', (finding) => ({ ...finding, evidence: (finding['evidence'] as Part[]).slice(0, -1) })],
  ])('that changes %s is detected by the checker', (_name, change) => {
    const columns = { startLine: 7, startColumn: 3, endColumn: 9 };
    const physicalLocation = { artifactLocation: { uri: 'src/a.ts' }, region: columns };
    const step = { location: { physicalLocation } };
    const only = result({
      level: 'error',
      locations: [{ physicalLocation }],
      codeFlows: [{ threadFlows: [{ locations: [step] }] }],
      hostedViewerUri: 'https://example.com/1',
    });
    const text = log({ tool: { driver: { name: 'Scanner' } }, results: [only] });
    const imported = importSarif(text);
    expect(differences(text, imported)).toEqual([]);
    const changed = imported.findings.map((finding) => change(finding as unknown as Part));
    expect(differences(text, { ...imported, findings: changed as never })).not.toEqual([]);
  });
});
