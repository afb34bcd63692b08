/**
 * A log with a path of the person's home and a secret in each of its texts: no output and no file of svc contains either.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { exportFormats } from '@svc/contract/enums';
import { someOf } from '@svc/testkit/lane';
import { beforeEach, expect, test } from 'vitest';
import { initRepository, writeFiles } from './repository.ts';
import { createMachine, type CommandResult, type Machine } from './svc.ts';

const HOME = '/home/adalovelace';
const TOKEN = ['npm_', 'abcdefghij'.repeat(3), 'abcdef'].join('');
/** Matches any spelling, also within names composed of texts. */
const PERSON = /ada_?lovelace/i;

const said = { text: 'A text of the log.', markdown: 'A *text* of the log.' };
const placed = (line: number) => ({
  id: line,
  physicalLocation: {
    artifactLocation: { uri: 'src/a.ts', uriBaseId: 'ROOT' },
    region: { startLine: line, snippet: { text: 'eval(text)' } },
    contextRegion: { startLine: line, snippet: { text: 'eval(text)' } },
  },
  logicalLocations: [{ fullyQualifiedName: 'shop.orders', name: 'orders' }],
  message: said,
});
const result = {
  ruleId: 'no-eval',
  rule: { id: 'no-eval', toolComponent: { name: 'Scanner', guid: 'g' } },
  level: 'error',
  kind: 'fail',
  message: { text: 'A message with {0} and [a link](9).', id: 'default', arguments: ['a value'] },
  analysisTarget: { uri: 'src/a.ts' },
  locations: [placed(7), placed(8)],
  relatedLocations: [placed(9)],
  codeFlows: [{ threadFlows: [{ locations: [{ location: placed(10) }, { index: 0 }] }] }],
  fixes: [
    { description: said },
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
  taxa: [{ id: '79', guid: 't', toolComponent: { name: 'CWE' } }],
  hostedViewerUri: 'https://example.com/1',
  workItemUris: ['https://example.com/2'],
  provenance: { firstDetectionTimeUtc: '2026-01-02T03:04:05.000Z' },
  properties: {
    tags: ['a', 'b'],
    cwe: ['CWE-79'],
    owasp: ['A03:2021'],
    'security-severity': '5.0',
    title: 'A title of this finding',
    category: 'a_category',
    severity: 'high',
    verification: 'verified',
    status: 'open',
    summary: 'The summary of this finding.',
    impact: 'The impact of this finding, whatever it is.',
    remediation: 'The remediation of this finding.',
    verificationPlan: 'The plan of this finding.',
    reproduction: 'The steps.',
    evidence: [{ kind: 'source', description: 'The evidence.', snippet: 'x', location: 'src/a.ts:7' }],
    corroboration: [{ kind: 'source', description: 'More of it.', snippet: 'x', location: 'src/a.ts:9' }],
    references: ['https://example.com/3'],
    secretReferences: [{ label: 'a', kind: 'b', fingerprint: 'c', location: 'd' }],
    taxonomy: ['CWE-79'],
    affected: { component: 'shop', file: 'src/a.ts', lineStart: 7, route: '/a', origin: 'b' },
  },
};
const rule = {
  id: 'no-eval',
  guid: 'g',
  name: 'NoEval',
  shortDescription: said,
  fullDescription: said,
  help: said,
  helpUri: 'https://example.com/no-eval',
  messageStrings: { default: said },
  defaultConfiguration: { level: 'error' },
  relationships: [{ target: { id: 'CWE-79', toolComponent: { name: 'CWE' } } }],
  properties: { tags: ['security', 'CWE-79'], cwe: 'CWE-79' },
};
const run = {
  taxonomies: [{ name: 'CWE', taxa: [{ id: '79', guid: 't' }] }],
  threadFlowLocations: [{ location: placed(11) }],
  logicalLocations: [{ name: 'orders', fullyQualifiedName: 'shop.orders' }],
  artifacts: [{ location: { uri: 'src/a.ts' } }],
  originalUriBaseIds: { ROOT: { uri: 'file:///repository/' } },
  versionControlProvenance: [
    { repositoryUri: 'https://example.com/r', mappedTo: { uri: 'file:///repository' } },
  ],
  invocations: [
    {
      executionSuccessful: false,
      exitCodeDescription: 'It failed',
      workingDirectory: { uri: 'file:///repository' },
      toolExecutionNotifications: [{ level: 'error', message: said }],
    },
  ],
  automationDetails: { id: 'main', description: said },
};

type Planted = (text: string) => string;

/** Returns the value with all texts changed. */
function everywhere(value: unknown, planted: Planted): unknown {
  return JSON.parse(JSON.stringify(value), (_, part: unknown) =>
    typeof part === 'string' ? planted(part) : part,
  ) as unknown;
}

/** Returns as many values as there are texts, each with one of them changed. */
function oneByOne(value: unknown, planted: Planted): unknown[] {
  let texts = 0;
  everywhere(value, (text) => {
    texts += 1;
    return text;
  });
  return Array.from({ length: texts }, (_, wanted) => {
    let at = -1;
    return everywhere(value, (text) => {
      at += 1;
      return at === wanted ? planted(text) : text;
    });
  });
}

/** A log with runs for changed results, for everything changed, for a changed run, and two for each changed rule. */
function logOf(tool: string, planted: Planted): string {
  const named = (name: string, rules: unknown[], results: unknown[], more: object) => ({
    tool: { driver: { name, version: '1.0', rules }, extensions: [{ name: 'Extension', version: '2' }] },
    results,
    ...more,
  });
  const isolated = oneByOne(result, planted);
  const rules = oneByOne(rule, planted);
  return JSON.stringify({
    version: '2.1.0',
    runs: [
      named(tool, [rule], isolated, run),
      everywhere(named('Scanner', [rule], [result], run), planted),
      named(tool, [rule], [result], everywhere(run, planted) as object),
      ...rules.map((changed) =>
        named(tool, [changed], [{ ...result, ruleId: undefined, rule: { index: 0 } }], {}),
      ),
      ...rules.map((changed) => named(tool, [changed], [{ ruleIndex: 0, message: { id: 'default' } }], {})),
    ],
  });
}

let machine: Machine;
beforeEach(async () => {
  machine = await createMachine(undefined, { HOME });
  initRepository(machine.folder);
  writeFiles(machine.folder, { 'src/a.ts': 'eval(text)\n'.repeat(12) });
  return () => machine[Symbol.asyncDispose]();
});

const plants: readonly [string, Planted][] = [
  ['after each text', (text) => `${text} ${HOME}/shop ${TOKEN}`],
  ['in place of each text', () => `${HOME}/shop/${TOKEN}`],
  ['far into each text', (text) => `${text} ${'word '.repeat(1190)}${HOME}/shop ${TOKEN} more`],
];
const tools = ['Scanner', 'svc'];

function expectClean({ stdout, stderr }: Pick<CommandResult, 'stdout' | 'stderr'>): void {
  for (const text of [stdout, stderr]) {
    expect(
      PERSON.exec(text)?.[0] && text.slice(text.search(PERSON) - 200, text.search(PERSON) + 100),
    ).toBeUndefined();
    expect(text).not.toContain(TOKEN);
  }
}

const cases = tools.flatMap((tool) => plants.map(([where, planted]) => [where, tool, planted] as const));
test.each(someOf(cases, 4))(
  '[D24] a home folder and a secret %s of a log of %s are in no report, output or export',
  { tags: 'repeated' },
  async (_, tool, planted) => {
    writeFileSync(path.join(machine.folder, 'log.sarif'), logOf(tool, planted));
    const scanned = await machine.svc('scan . --only secrets --sarif log.sarif --no-sync --json'.split(' '));
    expect(scanned.code).toBe(0);
    expectClean(scanned);
    expectClean(
      await machine.svc('scan . --only secrets --sarif log.sarif --no-sync --fail-on low'.split(' ')),
    );
    expectClean(await machine.svc('compare log.sarif --baseline log.sarif --json'.split(' ')));
    expectClean(await machine.svc('report validate log.sarif --json'.split(' ')));
    expectClean(await machine.svc('report show --json'.split(' ')));
    for (const format of exportFormats) {
      const file = path.join(machine.folder, `report.${format}`);
      expect((await machine.svc(['export', '--format', format, '--output', file])).code).toBe(0);
      expectClean({ stdout: readFileSync(file, 'utf8'), stderr: '' });
    }
  },
);

test('JSON and SARIF on standard output contain no character that steers a terminal', async () => {
  const text = JSON.stringify({
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'Scan\u202Ener' } },
        results: [{ ruleId: 'no\u009B2Jeval', message: { text: 'Said\u009B2J and \u202Edias.' } }],
      },
    ],
  });
  writeFileSync(path.join(machine.folder, 'log.sarif'), text);
  expect((await machine.svc('scan . --only secrets --sarif log.sarif --no-sync'.split(' '))).code).toBe(0);
  for (const format of ['json', 'sarif']) {
    const { stdout } = await machine.svc(['export', '--format', format, '--output', '-']);
    expect(stdout).not.toMatch(/[\u009B\u202E]/);
    expect(JSON.stringify(JSON.parse(stdout))).toContain('Said\u009B2J and \u202Edias.');
  }
});
