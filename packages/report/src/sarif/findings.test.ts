import { Finding } from '@svc/contract';
import { Compile } from 'typebox/compile';
import { describe, expect, test } from 'vitest';
import { at, findingOf, imported, log, result, run, type Part } from '../../test/sarif.ts';
import { deviceToken, privateKey, secretSamples } from '../../test/secret-samples.ts';
import { secretPaths } from '../secrets/redact.ts';
import { importSarif } from './import.ts';

const validator = Compile(Finding);
/** The findings of a log that violate the schema of reports. */
const breaches = (text: string | Uint8Array) =>
  importSarif(text).findings.filter((finding) => !validator.Check({ id: 'F-1', ...finding }));

describe('texts', () => {
  const messageStrings = { default: { text: 'Reads {0} of {1}, not {{2}} or {9}.' } };
  test('messages by id have their placeholders filled', () => {
    const message = { id: 'default', arguments: ['a', 'b'] };
    expect(findingOf({ message }, [{ id: 'no-eval', messageStrings }]).summary).toBe(
      'Reads a of b, not {2} or {9}.',
    );
    const globalMessageStrings = messageStrings;
    const tool = { driver: { name: 'Scanner', globalMessageStrings } };
    expect(findingOf({ message }, [], { tool }).summary).toBe('Reads a of b, not {2} or {9}.');
  });

  test('links in messages keep their targets', () => {
    const message = {
      text: 'Depends on [a value](1), [a step](4), [another](https://example.com/a_(b)) and [none](9), see \\[x\\], [y] (z) and [https://example.com](https://example.com).',
    };
    const relatedLocations = [{ ...at({ uri: 'src/b.ts' }, { startLine: 3, startColumn: 5 }), id: 1 }];
    const step = { location: { ...at({ uri: 'src/c.ts' }, { startLine: 8 }), id: 4 } };
    const codeFlows = [{ threadFlows: [{ locations: [step] }] }];
    const finding = findingOf({ message, relatedLocations, codeFlows });
    const said =
      'Depends on a value (at src/b.ts:3:5), a step (at src/c.ts:8), another (https://example.com/a_(b)) and none, see [x], [y] (z) and https://example.com.';
    expect(finding.summary).toBe(said);
    expect(finding.evidence[0]?.description).toBe(said);
    expect(finding.title).toMatch(/^Depends on a value, a step, another/);
  });

  test.each([
    ['<Replace key="Function"/> lets a stranger choose.', 'NamedRule', 'Named Rule'],
    ['Reads {0} of the request.', 'NamedRule', 'Named Rule'],
    ['Reads {0} of the request.', 'B104', 'The full words of it.'],
    ['It reads ${name} of the request.', 'NamedRule', 'It reads ${name} of the request.'],
  ])('with unfilled placeholders are not used as a title: %s', (said, name, title) => {
    const rule = {
      id: 'no-eval',
      name,
      shortDescription: { text: 'Use of $X in <Replace key="a"/>' },
      fullDescription: { text: 'The full words of it. And more.' },
    };
    expect(findingOf({ message: { text: said } }, [rule]).title).toBe(title);
  });

  test('contain the advice of the rule as Markdown', () => {
    const markdown = '# Risk\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n[More](https://example.com)';
    const help = { text: 'The plain words of it.', markdown };
    expect(findingOf({}, [{ id: 'no-eval', help }]).remediation).toBe(markdown);
    expect(findingOf({}, [{ id: 'no-eval', help: { text: help.text } }]).remediation).toBe(help.text);
  });

  test('that are too short name the tool, and missing ones are not invented', () => {
    expect(findingOf({ message: { text: 'Bad.' } })).toMatchObject({
      title: 'Bad.',
      summary: 'Scanner reports no-eval: Bad.',
      evidence: [{ description: 'Scanner reports: Bad.' }],
    });
    expect(findingOf({ message: {} })).toMatchObject({ summary: 'Scanner reports no-eval.' });
  });

  test.each(['abc', '\u{1f511}', '\u{1f511}'.repeat(12)])(
    'of only %j, from a tool with a name of one letter, are long enough for a report',
    (said) => {
      const tool = { driver: { name: 't' } };
      expect(breaches(log({ tool, results: [{ message: { text: said } }] }))).toEqual([]);
      const short = [{ id: 'r', help: { text: said } }];
      expect(breaches(log({ ...run([{ ruleId: 'r', message: { text: said } }], short) }))).toEqual([]);
    },
  );

  test('that are too long are cut between characters', () => {
    const long = '\u{1f511}'.repeat(20_000);
    const text = log(
      run(
        [result({ message: { text: long }, properties: { tags: [long] } }, long)],
        [{ id: 'no-eval', help: { text: long } }],
      ),
    );
    expect(breaches(text)).toEqual([]);
    expect(importSarif(text).findings[0]?.summary).toMatch(/^[\u{1f511}]+…$/u);
  });

  test('with an unpaired surrogate become well-formed', () => {
    expect(breaches(log(run([result({ message: { text: `broken \ud83d text, and more of it` } })])))).toEqual(
      [],
    );
  });
});

describe('code', () => {
  const quoted = (text: string) =>
    findingOf({ locations: [at({ uri: 'a.ts' }, { startLine: 1, snippet: { text } })] }).evidence[0]
      ?.snippet ?? '';

  test('is quoted as in the log, up to 40 lines and 2,000 characters', () => {
    expect(quoted('eval(text);')).toBe('eval(text);');
    expect(quoted('line\n'.repeat(5000)).split('\n')).toHaveLength(40);
    expect(quoted('x'.repeat(100_000)).length).toBeLessThanOrEqual(2000);
  });

  test('of whole files is never quoted', () => {
    const contents = { text: 'the whole of a file' };
    const artifacts = [{ location: { uri: 'src/a.ts' }, contents }];
    const fixes = [{ artifactChanges: [{ replacements: [{ insertedContent: contents }] }] }];
    const response = { webResponse: { body: contents }, webRequest: { body: contents } };
    const { findings } = importSarif(log(run([result({ fixes, ...response })], [], { artifacts })));
    expect(JSON.stringify(findings)).not.toContain('the whole of a file');
  });

  test('of a proposed change is evidence if the fix has no description', () => {
    const replacement = (region: Part, inserted?: string) => ({
      deletedRegion: region,
      ...(inserted !== undefined && { insertedContent: { text: inserted } }),
    });
    const change = (...replacements: Part[]) => ({
      artifactChanges: [{ artifactLocation: { uri: 'src/b.ts' }, replacements }],
    });
    const fixes = [
      change(
        replacement({ startLine: 3, startColumn: 5, endColumn: 9 }, 'JSON.parse(text)'),
        replacement({ startLine: 4, endLine: 6 }),
        replacement({ startLine: 7, startColumn: 1, endColumn: 1 }, `key = "${deviceToken()}"`),
      ),
      { description: { text: 'Parse the text as JSON instead.' } },
      change({ insertedContent: { text: 'nowhere' } }),
    ];
    const { only, warnings } = imported(log(run([result({ fixes })])));
    expect(only.evidence.slice(1)).toEqual([
      {
        kind: 'other',
        description: 'The tool proposes to replace it with this.',
        location: 'src/b.ts:3:5-3:9',
        snippet: 'JSON.parse(text)',
      },
      { kind: 'other', description: 'The tool proposes to delete this.', location: 'src/b.ts:4' },
      {
        kind: 'other',
        description: 'The tool proposes to insert this.',
        location: 'src/b.ts:7:1-7:1',
        snippet: 'key = "[redacted svc-device-token]"',
        redacted: true,
      },
    ]);
    expect(only.remediation).toBe(
      'Parse the text as JSON instead.\n\nThe tool proposes a change: see the evidence.',
    );
    expect(warnings).toEqual([
      '1 fix or change left out: a finding can have at most 5 fixes with 8 changes, each with a location.',
    ]);
  });

  test('along several flows is evidence, and long flows keep their first and last steps', () => {
    const flows = (...lengths: number[]) =>
      lengths.map((length) => ({
        threadFlows: [
          {
            locations: Array.from({ length }, (_, index) => ({
              location: at({ uri: 'a.ts' }, { startLine: index + 1 }),
            })),
          },
        ],
      }));
    const flowEvidence = (codeFlows: Part[]) => {
      const { only, warnings } = imported(log(run([result({ codeFlows })])));
      return { evidence: only.evidence.slice(1), warnings };
    };
    const both = flowEvidence(flows(2, 1));
    expect(both.evidence.map(({ description, location }) => `${description} ${location}`)).toEqual([
      'Flow 1 of 2, step 1 of 2: no further description a.ts:1',
      'Flow 1 of 2, step 2 of 2: no further description a.ts:2',
      'Flow 2 of 2, step 1 of 1: no further description a.ts:1',
    ]);
    expect(both.warnings).toEqual([]);
    const long = flowEvidence(flows(100, 100));
    expect(long.evidence).toHaveLength(63);
    expect(long.evidence.at(-1)?.description).toContain('Flow 2 of 2, step 100 of 100');
    expect(long.warnings).toEqual([
      '137 steps of code flows left out: a finding can have at most 64 items of evidence.',
    ]);
    const many = flowEvidence(flows(...Array.from({ length: 40 }, () => 2)));
    expect(many.evidence).toHaveLength(62);
    expect(many.warnings).toEqual([
      '18 steps of code flows left out: a finding can have at most 64 items of evidence.',
      '9 code flows left out, including all steps.',
    ]);
  });

  test('along a flow and at related locations is evidence, up to 64 items', () => {
    const step = (line: number) => ({
      location: { ...at({ uri: 'a.ts' }, { startLine: line }), message: { text: `step at ${line}` } },
    });
    const flow = (count: number) => [
      { threadFlows: [{ locations: Array.from({ length: count }, (_, index) => step(index + 1)) }] },
    ];
    const descriptions = (more: Record<string, unknown>) =>
      findingOf(more)
        .evidence.slice(1)
        .map(({ description }) => description);
    expect(descriptions({ codeFlows: flow(2) })).toEqual([
      'Step 1 of 2: step at 1',
      'Step 2 of 2: step at 2',
    ]);
    const long = descriptions({ codeFlows: flow(100) });
    expect(long).toHaveLength(63);
    expect(long.at(-1)).toBe('Step 100 of 100: step at 100');
    const related = (count: number) =>
      Array.from({ length: count }, (_, index) => at({ uri: `f${index}.ts` }));
    expect(descriptions({ locations: related(31), relatedLocations: related(30) })).toHaveLength(60);
    expect(descriptions({ locations: related(60), relatedLocations: related(60) })).toHaveLength(63);
  });
});

describe('secrets', () => {
  test('[D8] of every format are redacted in every text', () => {
    for (const { text } of secretSamples) {
      const said = { text: `Found ${text} here.` };
      const { findings, redactions } = importSarif(
        log(
          run(
            [
              result({
                message: said,
                properties: { tags: [text] },
                locations: [
                  {
                    ...at({ uri: `src/${encodeURIComponent(text)}` }, { startLine: 1, snippet: said }),
                    logicalLocations: [{ name: text }],
                  },
                ],
                relatedLocations: [{ ...at({ uri: 'b.ts' }), message: said }],
                suppressions: [{ kind: 'inSource', justification: text }],
                fixes: [{ description: said }],
              }),
            ],
            [
              {
                id: 'no-eval',
                name: text,
                shortDescription: said,
                fullDescription: said,
                help: said,
                helpUri: `https://example.com/?${text}`,
              },
            ],
            { tool: { driver: { name: text, version: text, rules: [] } } },
          ),
        ),
      );
      expect(secretPaths(findings)).toEqual([]);
      expect(redactions).toBeGreaterThan(0);
    }
  });

  test('[D8] are redacted before a text is cut', () => {
    for (let length = 1900; length < 2010; length += 1) {
      const text = `${'x '.repeat(length / 2)}${deviceToken()} tail ${'y '.repeat(200)}`;
      const { findings } = importSarif(
        log(run([result({ locations: [at({ uri: 'a' }, { startLine: 1, snippet: { text } })] })])),
      );
      expect(JSON.stringify(findings)).not.toContain(deviceToken().slice(0, 20));
    }
  });

  test('[D8] of many lines are redacted before lines are cut', () => {
    const body = privateKey('PRIVATE KEY').split('\n')[1] ?? '';
    for (let before = 25; before < 45; before += 1) {
      const text = `${'code\n'.repeat(before)}${privateKey('PRIVATE KEY')}\ncode`;
      const locations = [at({ uri: 'a' }, { startLine: 1, snippet: { text } })];
      expect(JSON.stringify(findingOf({ locations }))).not.toContain(body);
    }
  });

  test('[D8] that were redacted are marked in the evidence', () => {
    const snippet = { text: `token = "${deviceToken()}"` };
    const { only, redactions } = imported(
      log(run([result({ locations: [at({ uri: 'a.ts' }, { snippet })] })])),
    );
    expect(only.evidence[0]).toMatchObject({
      snippet: 'token = "[redacted svc-device-token]"',
      redacted: true,
    });
    expect(redactions).toBe(1);
  });

  test.each<[string, Record<string, unknown>, string]>([
    ['a secret scanner', {}, 'gitleaks'],
    ['a weakness', { properties: { tags: ['CWE-798'] } }, 'Scanner'],
    ['a rule’s name', { ruleId: 'hardcoded-password' }, 'Scanner'],
  ])(
    '[interface: never by value] are never quoted if %s shows that the result is a secret',
    (_name, more, name) => {
      const value = 'correct horse';
      const region = { startLine: 1, snippet: { text: `password = ${value}` } };
      const text = log(
        run(
          [
            result({
              ...more,
              message: { text: `Possible hardcoded password: '${value}'` },
              locations: [at({ uri: 'a.py' }, region)],
            }),
          ],
          [],
          { tool: { driver: { name } } },
        ),
      );
      const { only } = imported(text);
      expect(JSON.stringify(only)).not.toContain(value);
      expect(only.evidence[0]).toMatchObject({
        description: 'Possible hardcoded password: [redacted value]',
        redacted: true,
      });
    },
  );
});

describe('tags', () => {
  const tagged = (tags: string[], more: Part = {}) =>
    imported(log(run([result({ properties: { tags }, ...more })])));

  test('[D26] begin with tool and rule, which stay when others are left out', () => {
    const { only, warnings } = tagged(Array.from({ length: 40 }, (_, index) => `tag ${index}`));
    expect(only.tags?.slice(0, 3)).toEqual(['tool:Scanner', 'rule:no-eval', 'tag 0']);
    expect(only.tags).toHaveLength(32);
    expect(warnings).toEqual(['10 tags left out: a finding can have at most 32.']);
  });

  test('[D26] of a log never replace those of the import', () => {
    const { only, warnings } = tagged([
      'tool:Other',
      'Rule:x',
      'area:a',
      'identity:b',
      'weak-identity',
      'weak',
    ]);
    expect(only.tags).toEqual(['tool:Scanner', 'rule:no-eval', 'weak', 'weak-identity']);
    expect(warnings).toEqual([
      '5 tags left out: tool:, rule:, area:, identity: and weak-identity are reserved.',
    ]);
  });

  test('[D26] contain a shortened form of a long rule id, and no secret', () => {
    const ruleId = `rules.${'long.'.repeat(30)}end`;
    expect(tagged([], { ruleId }).only.tags?.[1]).toBe(`rule:${ruleId}`.slice(0, 79).concat('…'));
    const { only } = tagged([], { ruleId: `find-${deviceToken()}` });
    expect(only.tags?.[1]).toBe('rule:find-[redacted svc-device-token]');
    expect(tagged([], { ruleId: undefined }).only.tags).toEqual(['tool:Scanner', 'weak-identity']);
  });
});

test('the time at which a result was first seen is kept in UTC', () => {
  const seen = (firstDetectionTimeUtc: unknown) =>
    findingOf({ provenance: { firstDetectionTimeUtc } }).firstSeenAt;
  expect(seen('2024-01-02T03:04:05+02:00')).toBe('2024-01-02T01:04:05.000Z');
  expect([seen('yesterday'), seen(7), seen('2024-13-02T03:04:05Z')]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});
