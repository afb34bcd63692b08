import { describe, expect, test } from 'vitest';
import { findingOf, imported, log, result, run } from '../test/sarif.ts';

describe('rules', () => {
  const first = { id: 'first', shortDescription: { text: 'The first of the rules.' } };
  const second = { id: 'second', guid: 'g2', shortDescription: { text: 'The second of the rules.' } };
  const extension = {
    name: 'Plugin',
    guid: 'p1',
    rules: [{ id: 'third', shortDescription: { text: 'Of the plugin.' } }],
  };
  const tool = {
    driver: { name: 'Scanner', rules: [first, second] },
    extensions: [{ name: 'Empty' }, extension],
  };

  test.each<[string, Record<string, unknown>, string]>([
    ['by id', { ruleId: 'second' }, 'The second of the rules.'],
    ['by number', { ruleId: undefined, ruleIndex: 1 }, 'The second of the rules.'],
    ['by both', { ruleId: 'second', ruleIndex: 1 }, 'The second of the rules.'],
    ['by id, when the number is of another', { ruleId: 'second', ruleIndex: 0 }, 'The second of the rules.'],
    ['as a kind of one', { ruleId: 'second/deep' }, 'The second of the rules.'],
    ['by reference', { ruleId: undefined, rule: { id: 'first' } }, 'The first of the rules.'],
    [
      'by number in an extension',
      { ruleId: undefined, rule: { index: 0, toolComponent: { index: 1 } } },
      'Of the plugin.',
    ],
    [
      'by an extension’s guid',
      { ruleId: undefined, rule: { index: 0, toolComponent: { guid: 'p1' } } },
      'Of the plugin.',
    ],
    [
      'by an extension’s name',
      { ruleId: 'third', rule: { toolComponent: { name: 'Plugin' } } },
      'Of the plugin.',
    ],
    ['by id in any extension', { ruleId: 'third' }, 'Of the plugin.'],
    [
      'by the beginning of the message',
      { ruleId: undefined, message: { text: 'second: is broken' } },
      'The second of the rules.',
    ],
    [
      'nowhere',
      { ruleId: 'other', message: { text: 'Something else is wrong.' } },
      'Something else is wrong.',
    ],
    [
      'not at all',
      { ruleId: undefined, message: { text: 'Something else is wrong.' } },
      'Something else is wrong.',
    ],
    [
      'by a number of none',
      { ruleId: undefined, ruleIndex: -1, message: { text: 'Something is wrong.' } },
      'Something is wrong.',
    ],
  ])('are found %s', (_name, more, title) => {
    expect(findingOf(more, [], { tool }).title).toBe(title);
  });

  test('give description, advice and references where the result has none', () => {
    const finding = findingOf({}, [
      {
        id: 'no-eval',
        shortDescription: { text: 'Use of eval. It runs text.' },
        fullDescription: { text: 'Text that is run can do whatever the program can.' },
        help: { text: 'ignored when short', markdown: '# Do not run text' },
        helpUri: 'https://example.com/no-eval',
        properties: { tags: ['security', 'eval'] },
      },
    ]);
    expect(finding).toMatchObject({
      title: 'Use of eval.',
      summary:
        'Code is made of text that a stranger may have written.\n\nText that is run can do whatever the program can.',
      remediation:
        'ignored when short Scanner gives no more advice on no-eval with its result. Its rule is described at https://example.com/no-eval.',
      references: ['https://example.com/no-eval'],
      tags: ['security', 'eval'],
    });
    const fixes = [{ description: { text: 'Parse the text as JSON instead.' } }];
    expect(findingOf({ fixes }).remediation).toBe('Parse the text as JSON instead.');
  });
});

describe('severity', () => {
  const scored = (score: unknown) => [{ id: 'no-eval', properties: { 'security-severity': score } }];
  test.each<[unknown, string]>([
    ['10.0', 'high'],
    ['9.0', 'high'],
    ['8.9', 'high'],
    [7, 'high'],
    ['6.9', 'medium'],
    ['4.0', 'medium'],
    ['3.9', 'low'],
    [0.1, 'low'],
    ['0.0', 'info'],
    ['high', 'medium'],
    ['', 'medium'],
    [11, 'medium'],
  ])('a score of %j gives %s', (score, severity) => {
    expect(findingOf({}, scored(score)).severity).toBe(severity);
    expect(findingOf({ properties: { 'security-severity': score } }).severity).toBe(severity);
  });

  test('[interface: adjustment] what would be critical is high, because nobody has looked at it yet', () => {
    const { only, warnings } = imported(log(run([result()], scored('9.8'))));
    expect(only).toMatchObject({ severity: 'high', verification: 'needs_review' });
    expect(warnings).toEqual([
      '1 result lowered in severity: not verified, or only a hint in their category.',
    ]);
  });

  test.each<[string, Record<string, unknown>, string | undefined, string]>([
    ['error', { level: 'error' }, undefined, 'high'],
    ['warning', { level: 'warning' }, undefined, 'medium'],
    ['note', { level: 'note' }, undefined, 'low'],
    ['none', { level: 'none' }, undefined, 'info'],
    ['none, of a rule of errors', {}, 'error', 'high'],
    ['another than its rule', { level: 'note' }, 'error', 'low'],
    ['none anywhere', {}, undefined, 'medium'],
    ['none, to be looked at', { kind: 'review', level: 'none' }, 'error', 'high'],
  ])('a level of %s', (_name, more, level, severity) => {
    const rules = [{ id: 'no-eval', ...(level !== undefined && { defaultConfiguration: { level } }) }];
    expect(findingOf(more, rules).severity).toBe(severity);
  });

  test('a secret that a tool found is high, unless the tool says otherwise', () => {
    const tool = { driver: { name: 'gitleaks' } };
    expect(findingOf({}, [], { tool }).severity).toBe('high');
    expect(findingOf({ level: 'note' }, [], { tool }).severity).toBe('low');
  });
});

describe('classification', () => {
  test.each<[string, Record<string, unknown>, Record<string, unknown>, string, string[] | undefined]>([
    ['a tag of CodeQL', {}, { properties: { tags: ['external/cwe/cwe-089'] } }, 'sql_injection', ['CWE-89']],
    [
      'tags of Semgrep',
      {},
      { properties: { tags: ['CWE-79: Cross-site scripting', 'OWASP-A03:2021 - Injection'] } },
      'cross_site_scripting',
      ['CWE-79', 'OWASP A03:2021'],
    ],
    ['a property of the result', { properties: { cwe: 'CWE-22: Path' } }, {}, 'path_traversal', ['CWE-22']],
    [
      'a taxon',
      { taxa: [{ id: '502', toolComponent: { name: 'CWE' } }] },
      {},
      'insecure_deserialization',
      ['CWE-502'],
    ],
    [
      'a relation',
      {},
      { relationships: [{ target: { id: 'CWE-918', toolComponent: { name: 'CWE' } } }] },
      'server_side_request_forgery',
      ['CWE-918'],
    ],
    [
      'the message',
      { message: { text: 'A buffer may overflow (CWE-120).' } },
      {},
      'buffer_overflow',
      ['CWE-120'],
    ],
    [
      'the page of the rule',
      {},
      { helpUri: 'https://cwe.mitre.org/data/definitions/611.html' },
      'xml_external_entity',
      ['CWE-611'],
    ],
    ['an advisory', { ruleId: 'CVE-2024-1' }, {}, 'vulnerable_dependency', undefined],
    [
      'a dotted id',
      { ruleId: 'java.lang.security.unsafe-thing.unsafe-thing' },
      {},
      'unsafe_thing',
      undefined,
    ],
    ['a path', { ruleId: '@scope/plugin/no-unsafe-thing' }, {}, 'no_unsafe_thing', undefined],
    ['brackets', { ruleId: 'plugin(no-unsafe-thing)' }, {}, 'no_unsafe_thing', undefined],
    [
      'the name, for a code',
      { ruleId: 'B104' },
      { id: 'B104', name: 'hardcoded_bind' },
      'hardcoded_bind',
      undefined,
    ],
    [
      'the name, for a UUID',
      { ruleId: 'd6355c88-1e8d-49e9-b2f2-f8a1ca12c75b' },
      { id: 'd6355c88-1e8d-49e9-b2f2-f8a1ca12c75b', name: 'Docker Socket' },
      'docker_socket',
      undefined,
    ],
    ['a number', { ruleId: '2076' }, {}, 'scanner_2076', undefined],
    ['nothing', { ruleId: undefined }, {}, 'scanner_result', undefined],
    ['unknown weaknesses', {}, { properties: { tags: ['CWE-9999'] } }, 'no_eval', ['CWE-9999']],
  ])('by %s', (_name, more, rule, category, taxonomy) => {
    const finding = findingOf(more, [{ id: more['ruleId'] ?? 'no-eval', ...rule }]);
    expect({ category: finding.category, taxonomy: finding.taxonomy }).toEqual({ category, taxonomy });
  });

  test.each<[string, Record<string, unknown>, string, string]>([
    ['code', {}, 'Scanner', 'source'],
    ['a dependency', { ruleId: 'GHSA-aaaa-bbbb-cccc' }, 'Scanner', 'dependency'],
    ['configuration', {}, 'Checkov', 'configuration'],
  ])('evidence of %s', (_name, more, name, kind) => {
    expect(findingOf(more, [], { tool: { driver: { name } } }).evidence[0]?.kind).toBe(kind);
  });
});
