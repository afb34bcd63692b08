import { Finding } from '@svc/contract';
import { Compile } from 'typebox/compile';
import { describe, expect, test } from 'vitest';
import { at, findingOf, imported, log, result, run } from '../test/sarif.ts';
import { deviceToken, privateKey, secretSamples } from '../test/secret-samples.ts';
import { secretPaths } from './redact.ts';
import { importSarif } from './sarif-import.ts';

const validator = Compile(Finding);
/** What the schema of reports says against the findings of a log. */
const breaches = (text: string | Uint8Array) =>
  importSarif(text).findings.filter((finding) => !validator.Check({ id: 'F-1', ...finding }));

describe('texts', () => {
  const messageStrings = { default: { text: 'Reads {0} of {1}, not {{2}} or {9}.' } };
  test('messages by id have their holes filled', () => {
    const message = { id: 'default', arguments: ['a', 'b'] };
    expect(findingOf({ message }, [{ id: 'no-eval', messageStrings }]).summary).toBe(
      'Reads a of b, not {2} or {9}.',
    );
    const globalMessageStrings = messageStrings;
    const tool = { driver: { name: 'Scanner', globalMessageStrings } };
    expect(findingOf({ message }, [], { tool }).summary).toBe('Reads a of b, not {2} or {9}.');
  });

  test('links are laid flat', () => {
    const message = {
      text: 'Depends on [a value](1) and [another](https://example.com), see \\[x\\] and [y] (z).',
    };
    expect(findingOf({ message }).summary).toBe('Depends on a value and another, see [x] and [y] (z).');
  });

  test('that are too short say who reports them, and those that are missing are not made up', () => {
    expect(findingOf({ message: { text: 'Bad.' } })).toMatchObject({
      title: 'Bad.',
      summary: 'Scanner reports no-eval: Bad.',
      evidence: [{ description: 'Scanner reports: Bad.' }],
    });
    expect(findingOf({ message: {} })).toMatchObject({ summary: 'Scanner reports no-eval.' });
  });

  test.each(['abc', '\u{1f511}', '\u{1f511}'.repeat(12)])(
    'that say only %j, of a tool whose name is one letter, are long enough for a report',
    (said) => {
      const tool = { driver: { name: 't' } };
      expect(breaches(log({ tool, results: [{ message: { text: said } }] }))).toEqual([]);
      const short = [{ id: 'r', help: { text: said } }];
      expect(breaches(log({ ...run([{ ruleId: 'r', message: { text: said } }], short) }))).toEqual([]);
    },
  );

  test('are cut where they are too long, between characters', () => {
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

  test('that are no proper text become so', () => {
    expect(breaches(log(run([result({ message: { text: `broken \ud83d text, and more of it` } })])))).toEqual(
      [],
    );
  });
});

describe('code', () => {
  const quoted = (text: string) =>
    findingOf({ locations: [at({ uri: 'a.ts' }, { startLine: 1, snippet: { text } })] }).evidence[0]
      ?.snippet ?? '';

  test('is quoted as the tool does, in a few lines', () => {
    expect(quoted('eval(text);')).toBe('eval(text);');
    expect(quoted('line\n'.repeat(5000)).split('\n')).toHaveLength(40);
    expect(quoted('x'.repeat(100_000)).length).toBeLessThanOrEqual(2000);
  });

  test('of whole files is never taken', () => {
    const contents = { text: 'the whole of a file' };
    const artifacts = [{ location: { uri: 'src/a.ts' }, contents }];
    const fixes = [{ artifactChanges: [{ replacements: [{ insertedContent: contents }] }] }];
    const response = { webResponse: { body: contents }, webRequest: { body: contents } };
    const { findings } = importSarif(log(run([result({ fixes, ...response })], [], { artifacts })));
    expect(JSON.stringify(findings)).not.toContain('the whole of a file');
  });

  test('along a flow of data and at other places is evidence, up to a number', () => {
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
    expect(long).toHaveLength(10);
    expect(long.at(-1)).toBe('Step 100 of 100: step at 100');
    const locations = Array.from({ length: 30 }, (_, index) => at({ uri: `f${index}.ts` }));
    expect(descriptions({ locations, relatedLocations: locations })).toHaveLength(16);
  });
});

describe('secrets', () => {
  test('[D8] of every format are taken out of every text', () => {
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

  test('[D8] are not cut in two, and so overlooked', () => {
    for (let length = 1900; length < 2010; length += 1) {
      const text = `${'x '.repeat(length / 2)}${deviceToken()} tail ${'y '.repeat(200)}`;
      const { findings } = importSarif(
        log(run([result({ locations: [at({ uri: 'a' }, { startLine: 1, snippet: { text } })] })])),
      );
      expect(JSON.stringify(findings)).not.toContain(deviceToken().slice(0, 20));
    }
  });

  test('[D8] of many lines are not cut between them', () => {
    const body = privateKey('PRIVATE KEY').split('\n')[1] ?? '';
    for (let before = 25; before < 45; before += 1) {
      const text = `${'code\n'.repeat(before)}${privateKey('PRIVATE KEY')}\ncode`;
      const locations = [at({ uri: 'a' }, { startLine: 1, snippet: { text } })];
      expect(JSON.stringify(findingOf({ locations }))).not.toContain(body);
    }
  });

  test('[D8] evidence says that something was taken out', () => {
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
    ['a tool for secrets', {}, 'gitleaks'],
    ['a weakness', { properties: { tags: ['CWE-798'] } }, 'Scanner'],
    ['a rule’s name', { ruleId: 'hardcoded-password' }, 'Scanner'],
  ])(
    '[interface: never by value] are not quoted where %s says that there is one, in whatever form',
    (_name, more, name) => {
      const value = 'correct horse';
      const place = { startLine: 1, snippet: { text: `password = ${value}` } };
      const text = log(
        run(
          [
            result({
              ...more,
              message: { text: `Possible hardcoded password: '${value}'` },
              locations: [at({ uri: 'a.py' }, place)],
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
