/** An unexpected value in a log costs only the part that contains it, and the import reports every loss. */
import { anyCharacter, anyText } from '@svc/testkit/any-text';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Finding } from '@svc/contract';
import { validatorOf } from '@svc/contract/validation';
import { reportOf } from '../../test/samples.ts';
import { at, log, result, run } from '../../test/sarif.ts';
import { deviceToken } from '../../test/secret-samples.ts';
import { CanonicalReport, inconsistencies } from '../model/canonical.ts';
import { addFindings, noFindings } from '../intake/deduplication.ts';
import { secretPaths } from '../secrets/redact.ts';
import { importSarif } from './import.ts';

const AT = '2026-01-02T03:04:05.000Z';

const text = { text: 'A text of the log.', markdown: '# A text\n\n| a | b |\n|---|---|\n| 1 | 2 |' };
const locationAt = (line: number) => ({
  ...at(
    { uri: 'src/a.ts', uriBaseId: 'ROOT', index: 0 },
    { startLine: line, startColumn: 2, endLine: line, endColumn: 9, snippet: { text: 'eval(text)' } },
    { contextRegion: { startLine: line, snippet: { text: 'eval(text)' } } },
  ),
  id: line,
  message: text,
  logicalLocations: [{ fullyQualifiedName: 'shop.orders', name: 'orders', index: 0 }],
});

/** A result, a rule and a run with every field that the import reads. */
const whole = {
  result: result({
    ruleIndex: 0,
    rule: { id: 'no-eval', index: 0, toolComponent: { name: 'Scanner', index: 0, guid: 'g' } },
    level: 'error',
    kind: 'fail',
    rank: 50,
    message: { ...text, id: 'default', arguments: ['a', 'b'] },
    locations: [locationAt(7), locationAt(8)],
    relatedLocations: [locationAt(9)],
    codeFlows: [{ threadFlows: [{ locations: [{ location: locationAt(10) }, { index: 0 }] }] }],
    fixes: [
      { description: text },
      {
        artifactChanges: [
          {
            artifactLocation: { uri: 'src/a.ts' },
            replacements: [{ deletedRegion: { startLine: 7 }, insertedContent: { text: 'parse(text)' } }],
          },
        ],
      },
    ],
    suppressions: [{ kind: 'inSource', status: 'accepted', justification: 'Known.' }],
    partialFingerprints: { line: 'abc' },
    fingerprints: { stable: 'def' },
    taxa: [{ id: '79', index: 0, toolComponent: { name: 'CWE', index: 0 } }],
    hostedViewerUri: 'https://example.com/1',
    workItemUris: ['https://example.com/2'],
    provenance: { firstDetectionTimeUtc: AT, invocationIndex: 0 },
    properties: {
      tags: ['a', 'b'],
      cwe: ['CWE-79'],
      owasp: ['A03:2021'],
      'security-severity': '5.0',
      title: 'A title',
      category: 'a_category',
      severity: 'high',
      verification: 'verified',
      status: 'open',
      summary: 'The summary of this finding.',
      impact: 'The impact of this finding, whatever it is.',
      remediation: 'The remediation of this finding.',
      verificationPlan: 'The plan of this finding.',
      reproduction: 'The steps.',
      evidence: [{ kind: 'source', description: 'The evidence.', location: 'src/a.ts:7', quotedIn: 0 }],
      corroboration: [{ kind: 'source', description: 'More of it.', location: 'src/a.ts:9', quotedIn: 1 }],
      references: ['https://example.com/3'],
      secretReferences: [{ label: 'a', kind: 'b', fingerprint: 'c', location: 'd' }],
      taxonomy: ['CWE-79'],
      affected: { component: 'shop', file: 'src/a.ts', lineStart: 7, lineEnd: 7, route: '/a', origin: 'b' },
    },
  }),
  rule: {
    id: 'no-eval',
    guid: 'g',
    name: 'NoEval',
    shortDescription: text,
    fullDescription: text,
    help: text,
    helpUri: 'https://example.com/no-eval',
    messageStrings: { default: text },
    defaultConfiguration: { level: 'error', rank: 10, enabled: true },
    relationships: [{ target: { id: 'CWE-79', toolComponent: { name: 'CWE' } } }],
    properties: { tags: ['security', 'CWE-79'], 'security-severity': '8.0', cwe: 'CWE-79' },
  },
  run: {
    taxonomies: [{ name: 'CWE', taxa: [{ id: '79' }] }],
    threadFlowLocations: [{ location: locationAt(11) }],
    logicalLocations: [{ name: 'orders' }],
    artifacts: [{ location: { uri: 'src/a.ts' } }],
    originalUriBaseIds: { ROOT: { uri: 'file:///repository/' } },
    invocations: [
      {
        executionSuccessful: true,
        ruleConfigurationOverrides: [
          { descriptor: { id: 'no-eval', index: 0 }, configuration: { level: 'note', rank: 5 } },
        ],
      },
    ],
  },
};
type Path = readonly (string | number)[];

function pathsIn(value: unknown, before: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [before];
  const inner = Object.entries(value).flatMap(([name, part]) => pathsIn(part, [...before, name]));
  return before.length === 0 ? inner : [before, ...inner];
}

const paths = pathsIn(whole);

function withValue(target: unknown, [name = '', ...rest]: Path, value: unknown): void {
  if (typeof target !== 'object' || target === null) return;
  const fields = target as Record<string, unknown>;
  if (rest.length === 0) fields[name] = value;
  else withValue(fields[name], rest, value);
}

const token = ['npm_', 'abcdefghij'.repeat(3), 'abcdef'].join('');
const odd = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    '',
    ' ',
    'x',
    'x'.repeat(30_000),
    '\u{1f511}'.repeat(9000),
    '\ud800 broken',
    token,
    `LGPL-2.1-only/${token}`,
    `${token} and ${token}`,
    `x ${token} `.repeat(300),
    `text with ${deviceToken()} in it`,
    'tool:other',
    'file:///etc/passwd',
    '{0} <Replace key="x"/>',
    '[a](1) [b](https://example.com/x) [c](',
    -1,
    0,
    1.5,
    2 ** 53,
    1e300,
    true,
    [],
    {},
    Array.from({ length: 200 }, (_, index) => locationAt(index + 1)),
    Array.from({ length: 60 }, (_, index) => ({
      threadFlows: [{ locations: [{ location: locationAt(index + 1) }] }],
    })),
    Array.from({ length: 90 }, (_, index) => `tag ${index}`),
    { __proto__: null, constructor: 'x', toString: 'y' },
  ),
  anyText(),
  fc.jsonValue({ maxDepth: 4, stringUnit: anyCharacter }),
);

const changes = fc.array(fc.tuple(fc.constantFrom(...paths), odd), { minLength: 1, maxLength: 4 });
const toolNames = fc.constantFrom('Scanner', 'gitleaks', 'svc', token, '');

function logWith(changed: readonly (readonly [Path, unknown])[], name: string): string {
  const parts = structuredClone(whole);
  for (const [path, value] of changed) withValue(parts, path, structuredClone(value));
  const driver = { name, rules: [parts.rule] };
  return log({ ...run([parts.result, result()]), ...parts.run, tool: { driver } });
}

/** The number of results that the warnings report as left out. */
function leftOut(warnings: readonly string[]): number {
  return warnings
    .flatMap((warning) => Number(/^(\d+) results? left out/.exec(warning)?.[1] ?? 0))
    .reduce((sum, count) => sum + count, 0);
}

describe('any value in any place of a result, its rule and its run', () => {
  test('[D8] gives valid findings without secrets, and reports every result that is left out', () => {
    fc.assert(
      fc.property(changes, toolNames, (changed, name) => {
        const { findings, warnings, tools } = importSarif(logWith(changed, name));
        const isValid = (finding: object) => validatorOf(Finding).Check({ id: 'F-1', ...finding });
        expect(findings.filter((finding) => !isValid(finding))).toEqual([]);
        expect(secretPaths({ findings, tools, warnings })).toEqual([]);
        expect(JSON.stringify({ findings, tools, warnings })).not.toContain(token);
        expect(findings.length + leftOut(warnings)).toBe(2);
        const { set } = addFindings(noFindings, findings, AT);
        const report = reportOf({
          findings: [...set.findings],
          scan: { ...reportOf().scan, tools: [...tools] },
        });
        expect(validatorOf(CanonicalReport).Check(report)).toBe(true);
        expect(inconsistencies(report)).toEqual([]);
      }),
    );
  });

  test('the log without changes is imported without loss', () => {
    const { findings, warnings } = importSarif(logWith([], 'Scanner'));
    expect(findings).toHaveLength(2);
    expect(warnings).toEqual(['1 result set to accepted risk: suppressed in the log.']);
  });
});
