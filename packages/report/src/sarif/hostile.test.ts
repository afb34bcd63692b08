/** Hostile logs: a bad field costs only that field, and time linear in its length. */
import { describe, expect, test } from 'vitest';
import { at, imported, log, result, run, type Part } from '../../test/sarif.ts';

/** JSON.stringify cannot write JSON that is nested this deep. */
function withDeep(name: string, where: Part, levels = 5000): string {
  const deep = `${'{"a":['.repeat(levels / 2)}1${']}'.repeat(levels / 2)}`;
  return log(run([result({ ...where }), result({}, 'src/b.ts')])).replaceAll(`"${name}"`, deep);
}

describe('values that are nested thousands of levels deep', () => {
  test.each<[string, Part]>([
    ['message', { message: { text: 'Still said.', properties: 'DEEP' } }],
    ['locations', { locations: [at({ uri: 'src/a.ts' }, { startLine: 7 }), 'DEEP'] }],
    ['partialFingerprints', { partialFingerprints: { a: 'DEEP' } }],
    ['properties', { properties: 'DEEP' }],
    ['codeFlows', { codeFlows: 'DEEP' }],
  ])('in %s are left out and counted, and the results stay', (_, where) => {
    const { findings, warnings } = imported(withDeep('DEEP', where));
    expect(findings.map(({ affected }) => affected.file)).toEqual(['src/a.ts', 'src/b.ts']);
    expect(warnings).toContain('1 value left out: nested more than 100 levels deep.');
  });

  test('are left out and counted in a log that is read result by result', () => {
    const text = withDeep('DEEP', { properties: 'DEEP' });
    const filler = `"filler":"${'x'.repeat(17_000_000)}","properties":${'['.repeat(9000)}${']'.repeat(9000)}`;
    const { findings, warnings } = imported(text.replace('"runs"', `${filler},"runs"`));
    expect(findings).toHaveLength(2);
    expect(warnings).toContain('2 values left out: nested more than 100 levels deep.');
  });
});

describe('a message that is too long', () => {
  const argument = 'A value of fifty kilobytes. '.repeat(1800);
  const messages: readonly [string, Part][] = [
    ['placeholders', { message: { text: '{0}'.repeat(20_000), arguments: [argument] } }],
    [
      'links',
      {
        message: { text: '[x](1)'.repeat(200_000) },
        relatedLocations: [{ id: 1, ...at({ uri: `${'long-name-'.repeat(80)}.ts` }, { startLine: 1 }) }],
      },
    ],
  ];

  test.each(messages)('because of its %s is shortened and counted, and the results stay', (_, more) => {
    const { findings, warnings } = imported(log(run([result(more), result({}, 'src/b.ts')])));
    expect(findings).toHaveLength(2);
    expect(findings[0]?.summary.length).toBeLessThanOrEqual(6000);
    expect(warnings.join()).toMatch(/\d texts? shortened: too long for a finding/);
  });

  test('is shortened between words, so that no half of a secret is left', () => {
    const token = ['npm_', 'abcdefghij'.repeat(3), 'abcdef'].join('');
    const { findings } = imported(log(run([result({ message: { text: `${token} `.repeat(400) } })])));
    expect(JSON.stringify(findings)).not.toMatch(/npm_/);
  });
});

describe('a path', () => {
  test.each<[string, string]>([
    ['of thousands of folders', `${'a/'.repeat(30_000)}b.ts`],
    ['that leads thousands of folders up', `${'../'.repeat(200_000)}etc/passwd`],
    ['in more folders than any disk has', `${'a/'.repeat(150)}b.ts`],
    ['with encoded separators', `${'a%252F'.repeat(150)}b.ts`],
    ['of thousands of combining marks', `src/${'\u0315\u0300\u05AE'.repeat(500)}.ts`],
  ])('%s is left out and counted, and its result stays', (_, uri) => {
    const { findings, warnings } = imported(log(run([result({}, uri), result({}, 'src/b.ts')])));
    expect(findings.map(({ affected }) => affected.file)).toEqual([undefined, 'src/b.ts']);
    expect(warnings.join()).toContain('1 path left out: too long');
  });

  test('that leads out of the repository counts as outside', () => {
    const { warnings } = imported(log(run([result({}, '../../../etc/passwd')])));
    expect(warnings).toEqual(['1 result outside the repository: run the scanner in the repository.']);
  });
});

describe('names of an object’s own methods', () => {
  test.each(['constructor', '__proto__', 'toString', 'hasOwnProperty'])(
    'such as %s have no effect',
    (name) => {
      const driver = { name, rules: [{ id: name, defaultConfiguration: { level: name } }] };
      const more = { ruleId: name, level: name, kind: name, message: { id: name, text: 'Said.' } };
      const text = log({ ...run([result(more), result({ ...more, level: undefined })]), tool: { driver } });
      const { findings } = imported(text.replaceAll('"SELF"', `"${name}"`));
      expect(findings.map(({ severity }) => severity)).toEqual(['medium', 'medium']);
    },
  );
});

test('a log of svc with 200,000 tools gives at most 64 tools', () => {
  const extensions = Array.from({ length: 200_000 }, (_, index) => ({ name: `tool-${index}` }));
  const text = log({ ...run([result()]), tool: { driver: { name: 'svc' }, extensions } });
  expect(imported(text).tools).toHaveLength(64);
});

test('a log with more than 10,000 runs is read up to that limit and counts as incomplete', () => {
  const runs = Array.from({ length: 10_002 }, (_, index) => run(index === 0 ? [result()] : []));
  const { findings, failure, warnings } = imported(log(...runs));
  expect(findings).toHaveLength(1);
  expect(failure).toMatchObject({ isPartial: true });
  expect(warnings.join()).toContain('The log has more than 10,000 runs; left out: 2.');
});

test('a large log with millions of values besides its results is rejected with a reason', () => {
  const text = log(run([result()], [], { properties: 'VALUES' }));
  const values = `[${'{},'.repeat(6_000_000)}{}]`;
  expect(() => imported(text.replace('"VALUES"', values))).toThrow('millions of other values');
});
