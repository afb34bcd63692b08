import { describe, expect, test } from 'vitest';
import { findingOf, imported, log, result, run } from '../../test/sarif.ts';

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
    ['by index', { ruleId: undefined, ruleIndex: 1 }, 'The second of the rules.'],
    ['by id and index', { ruleId: 'second', ruleIndex: 1 }, 'The second of the rules.'],
    [
      'by id, if the index is of another rule',
      { ruleId: 'second', ruleIndex: 0 },
      'The second of the rules.',
    ],
    ['by the id of a rule that it specializes', { ruleId: 'second/deep' }, 'The second of the rules.'],
    ['by reference', { ruleId: undefined, rule: { id: 'first' } }, 'The first of the rules.'],
    [
      'by index in an extension',
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
      'not at all by an unknown id',
      { ruleId: 'other', message: { text: 'Something else is wrong.' } },
      'Something else is wrong.',
    ],
    [
      'not at all without an id',
      { ruleId: undefined, message: { text: 'Something else is wrong.' } },
      'Something else is wrong.',
    ],
    [
      'not at all by the index -1',
      { ruleId: undefined, ruleIndex: -1, message: { text: 'Something is wrong.' } },
      'Something is wrong.',
    ],
  ])('are found %s', (_name, more, title) => {
    expect(findingOf(more, [], { tool }).title).toBe(title);
  });

  test('give description, advice and references if the result has none', () => {
    const finding = findingOf({}, [
      {
        id: 'no-eval',
        shortDescription: { text: 'Use of eval. It runs text.' },
        fullDescription: { text: 'Text that is run can do whatever the program can.' },
        help: { text: 'used where there is no Markdown', markdown: '# Do not run text' },
        helpUri: 'https://example.com/no-eval',
        properties: { tags: ['security', 'eval'] },
      },
    ]);
    expect(finding).toMatchObject({
      title: 'Use of eval.',
      summary:
        'Code is made of text that a stranger may have written.\n\nText that is run can do whatever the program can.',
      remediation:
        '# Do not run text\n\nScanner gives no further advice on no-eval. Its rule is described at https://example.com/no-eval.',
      references: ['https://example.com/no-eval'],
      tags: expect.arrayContaining(['tool:Scanner', 'rule:no-eval', 'security', 'eval']),
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

  test.each<[string, Record<string, unknown>, Record<string, unknown>, string]>([
    ['with the level error', { level: 'error' }, { 'security-severity': '0.0' }, 'high'],
    ['with the rank 95', { rank: 95 }, { 'security-severity': 0 }, 'high'],
    [
      'beside 9.8 of its rule',
      { properties: { 'security-severity': '0' } },
      { 'security-severity': '9.8' },
      'high',
    ],
    [
      'beside 0 of its rule',
      { properties: { 'security-severity': '0' } },
      { 'security-severity': '0' },
      'info',
    ],
  ])('a score of 0 %s counts only if nothing else is stated', (_name, more, ofRule, severity) => {
    expect(findingOf(more, [{ id: 'no-eval', properties: ofRule }]).severity).toBe(severity);
  });

  test('a score of 0 that is ignored is not named in the impact', () => {
    const finding = findingOf({ level: 'error' }, scored('0.0'));
    expect(finding.impact).toContain('the level error');
  });

  test('[interface: adjustment] a critical result becomes high, because it is not verified', () => {
    const { only, warnings } = imported(log(run([result()], scored('9.8'))));
    expect(only).toMatchObject({ severity: 'high', verification: 'needs_review' });
    expect(warnings).toEqual([
      '1 result lowered in severity: unverified results are at most high, and hints such as a missing header at most medium.',
    ]);
  });

  test.each<[string, Record<string, unknown>, string | undefined, string]>([
    ['error', { level: 'error' }, undefined, 'high'],
    ['warning', { level: 'warning' }, undefined, 'medium'],
    ['note', { level: 'note' }, undefined, 'low'],
    ['none', { level: 'none' }, undefined, 'info'],
    ['(missing), with the level error of the rule', {}, 'error', 'high'],
    ['note, with the level error of the rule', { level: 'note' }, 'error', 'low'],
    ['(missing), without a level of the rule', {}, undefined, 'medium'],
    ['none, of a result that awaits review', { kind: 'review', level: 'none' }, 'error', 'high'],
  ])('the level %s gives the right severity', (_name, more, level, severity) => {
    const rules = [{ id: 'no-eval', ...(level !== undefined && { defaultConfiguration: { level } }) }];
    expect(findingOf(more, rules).severity).toBe(severity);
  });

  test.each([
    ['ERROR', 'high'],
    [' Error ', 'high'],
    ['critical', 'high'],
    ['CRITICAL', 'high'],
    ['High', 'high'],
    ['severe', 'high'],
    ['WARNING', 'medium'],
    ['Moderate', 'medium'],
    ['NOTE', 'low'],
    ['None', 'info'],
    ['something else', 'medium'],
  ])('a level written as %j gives %s, in a result, a rule and an override', (level, severity) => {
    expect(findingOf({ level }).severity).toBe(severity);
    expect(findingOf({}, [{ id: 'no-eval', defaultConfiguration: { level } }]).severity).toBe(severity);
    expect(findingOf({}, [{ id: 'no-eval' }], override({ level })).severity).toBe(severity);
  });

  test.each(['Fail', 'error', 'vulnerability'])('the unknown kind %s counts as fail', (kind) => {
    expect(findingOf({ kind }).severity).toBe('medium');
  });

  const override = (
    configuration: Record<string, unknown>,
    descriptor: Record<string, unknown> = { id: 'no-eval' },
  ) => ({
    invocations: [{ ruleConfigurationOverrides: [{ descriptor, configuration }] }],
  });

  test.each<[string, Record<string, unknown>, Record<string, unknown>, string]>([
    ['a level', {}, override({ level: 'error' }), 'high'],
    ['a level, by the index of the rule', {}, override({ level: 'note' }, { index: 0 }), 'low'],
    ['a level that the result also has', { level: 'error' }, override({ level: 'note' }), 'high'],
    ['a level of another rule', {}, override({ level: 'error' }, { id: 'other' }), 'medium'],
    ['a rank', {}, override({ rank: 81.5 }), 'high'],
    ['the rank -1', {}, override({ rank: -1 }), 'medium'],
  ])('an invocation that overrides %s gives the right severity', (_name, more, parts, severity) => {
    expect(findingOf(more, [{ id: 'no-eval' }], parts).severity).toBe(severity);
  });

  test('a result uses the overrides of the invocation that it names', () => {
    const [note] = override({ level: 'note' }).invocations;
    const [error] = override({ level: 'error', enabled: false }).invocations;
    const invocations = [note, error];
    const rules = [{ id: 'no-eval' }];
    expect(findingOf({ provenance: { invocationIndex: 0 } }, rules, { invocations }).severity).toBe('low');
    const finding = findingOf({}, rules, { invocations });
    expect(finding.severity).toBe('high');
    expect(finding.impact).toBe(
      'Not stated by Scanner, which gives no-eval the level error. The configuration of this run switches the rule off.',
    );
  });

  test('a rank counts if there is no level, and is in the impact', () => {
    const finding = findingOf({ rank: 95 });
    expect(finding.severity).toBe('high');
    expect(finding.impact).toContain('level warning and the rank 95 of 100');
    expect(findingOf({ rank: 95, level: 'note' }).severity).toBe('low');
  });

  test('a result of a secret scanner is high unless it has a level', () => {
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
      'the help page of the rule',
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
    [
      'the short description, for a UUID without a name',
      { ruleId: 'd6355c88-1e8d-49e9-b2f2-f8a1ca12c75b' },
      {
        name: 'd6355c88-1e8d-49e9-b2f2-f8a1ca12c75b',
        shortDescription: { text: 'Path Manipulation. It lets others choose files.' },
      },
      'path_manipulation',
      undefined,
    ],
    [
      'a tag, for a hash of a rule without a usable description',
      { ruleId: '3A1C66B7E5FB4D2CA0D3A5DA2A6D3C9F' },
      {
        shortDescription: { text: 'Uses <Replace key="Sink"/> here.' },
        properties: { tags: ['security', 'HIGH CONFIDENCE', 'Weak Encryption'] },
      },
      'weak_encryption',
      undefined,
    ],
    [
      'an OWASP category, for a code',
      { ruleId: 'X-17' },
      { properties: { tags: ['OWASP-A03:2021 - Injection'] } },
      'injection',
      ['OWASP A03:2021'],
    ],
    [
      'the beginning of a UUID without anything else',
      { ruleId: 'd6355c88-1e8d-49e9-b2f2-f8a1ca12c75b' },
      {},
      'scanner_rule_d6355c88',
      undefined,
    ],
    [
      'the name, for a code with numbers',
      { ruleId: 'CKV2_AWS_5' },
      { name: 'Open Port' },
      'open_port',
      undefined,
    ],
    ['nothing', { ruleId: undefined }, {}, 'scanner_result', undefined],
    ['unknown weaknesses', {}, { properties: { tags: ['CWE-9999'] } }, 'no_eval', ['CWE-9999']],
  ])('gives the right category and taxonomy by %s', (_name, more, rule, category, taxonomy) => {
    const finding = findingOf(more, [{ id: more['ruleId'] ?? 'no-eval', ...rule }]);
    expect({ category: finding.category, taxonomy: finding.taxonomy }).toEqual({ category, taxonomy });
  });

  test('a rule without a known weakness has one category for all of its results', () => {
    const rule = { id: 'B608', name: 'hardcoded_sql' };
    const categories = [
      findingOf({ ruleId: 'B608' }, [rule]),
      findingOf({ ruleId: 'B608', level: 'error', message: { text: 'Another text.' } }, [rule]),
      findingOf({ ruleId: 'B608', properties: { tags: ['x'] } }, [rule]),
    ].map(({ category }) => category);
    expect(new Set(categories)).toEqual(new Set(['hardcoded_sql']));
  });

  test.each<[string, Record<string, unknown>]>([
    ['its index in a taxonomy by index', { index: 1, toolComponent: { index: 0 } }],
    ['its index in a taxonomy by name', { index: 1, toolComponent: { name: 'CWE' } }],
    ['its index in a taxonomy by guid', { index: 1, toolComponent: { guid: 't1' } }],
    ['its guid', { guid: 'g502', toolComponent: { index: 0 } }],
    ['its id alone', { id: '502', toolComponent: { index: 0 } }],
  ])('a taxon is found by %s', (_name, taxon) => {
    const taxa = [{ id: '79' }, { id: '502', guid: 'g502' }];
    const taxonomies = [{ name: 'CWE', guid: 't1', taxa }];
    const rule = { id: 'no-eval', relationships: [{ target: taxon }] };
    expect(findingOf({ taxa: [taxon] }, [], { taxonomies }).taxonomy).toEqual(['CWE-502']);
    expect(findingOf({}, [rule], { taxonomies }).taxonomy).toEqual(['CWE-502']);
  });

  test('a taxon of an extension is found by its index there', () => {
    const extensions = [{ name: 'CWE', taxa: [{ id: 'CWE-918' }] }];
    const tool = { driver: { name: 'Scanner' }, extensions };
    const taxa = [{ index: 0, toolComponent: { index: 0 } }];
    expect(findingOf({ taxa }, [], { tool }).taxonomy).toEqual(['CWE-918']);
  });

  test('weaknesses of one result do not become those of another result or tool', () => {
    const rule = { id: 'no-eval', properties: { tags: ['CWE-95'] } };
    const message = { text: 'A stranger chooses the query. (CWE-89)' };
    const more = [{}, { message }, { taxa: [{ id: 'CWE-78' }] }, { properties: { cwe: 'CWE-22' } }];
    const results = ['src/a.ts', 'src/b.ts'].flatMap((file) =>
      more.map((parts, index) => result(parts, file, index + 1)),
    );
    const other = run([result({}, 'src/c.ts')], [{ ...rule, properties: { tags: ['CWE-79'] } }]);
    const { findings } = imported(log(run(results, [rule]), other));
    const wanted = [['CWE-95'], ['CWE-95', 'CWE-89'], ['CWE-95', 'CWE-78'], ['CWE-95', 'CWE-22']];
    expect(findings.map(({ taxonomy }) => new Set(taxonomy))).toEqual(
      [...wanted, ...wanted, ['CWE-79']].map((weaknesses) => new Set(weaknesses)),
    );
  });

  test.each<[string, Record<string, unknown>, string, string]>([
    ['code', {}, 'Scanner', 'source'],
    ['a dependency', { ruleId: 'GHSA-aaaa-bbbb-cccc' }, 'Scanner', 'dependency'],
    [
      'a rule whose name begins like the id of a vulnerability',
      { ruleId: 'go-sql-injection' },
      'Scanner',
      'source',
    ],
    ['configuration', {}, 'Checkov', 'configuration'],
  ])('evidence of %s has the right kind', (_name, more, name, kind) => {
    expect(findingOf(more, [], { tool: { driver: { name } } }).evidence[0]?.kind).toBe(kind);
  });
});
