import { describe, expect, test } from 'vitest';
import { at, imported, log, result, run, type Part } from '../../test/sarif.ts';
import { importSarif } from '../sarif/import.ts';

const code = ['function run(a) {', '  check(a);', '  eval(a);', '  return a;', '}', '', 'eval(b);'];

/** @param lines of every file; null where there is no checkout */
function fingerprints(results: readonly Part[], lines: readonly string[] | null = code): string[] {
  const { findings } = importSarif(log(run(results)), { linesOf: () => lines ?? undefined });
  return findings.map(({ fingerprint }) => fingerprint);
}

function tags(more: Part, lines: readonly string[] | null = code): readonly string[] {
  return imported(log(run([result(more)])), { linesOf: () => lines ?? undefined }).only.tags ?? [];
}

const onLine = (startLine: number, more: Part = {}) => result(more, 'src/a.ts', startLine);
const quoted = (startLine: number, text: string, more: Part = {}) =>
  result({ locations: [at({ uri: 'src/a.ts' }, { startLine, snippet: { text } })], ...more });

describe('[D12] the identity of an imported result', () => {
  test('contains its line and the lines around it in the checkout, regardless of position and indentation', () => {
    const moved = ['// more', '', ...code.map((line) => `\t${line.replace('(', ' ( ')} `)];
    expect(fingerprints([onLine(5)], moved)).toEqual(fingerprints([onLine(3)]));
    expect(fingerprints([onLine(7)])).not.toEqual(fingerprints([onLine(3)]));
    const edited = code.with(1, '  check(a, true);');
    expect(fingerprints([onLine(3)], edited)).not.toEqual(fingerprints([onLine(3)]));
  });

  test('is the same with and without a snippet in the log', () => {
    expect(fingerprints([quoted(3, 'eval(a)')])).toEqual(fingerprints([onLine(3)]));
  });

  test('contains the snippet where the checkout is missing or has a different line there', () => {
    const other = fingerprints([quoted(3, 'eval(a);')], code.with(2, '  done(a);'));
    expect(other).toEqual(fingerprints([quoted(80, '   eval(a);\n')], null));
    expect(other).toEqual(fingerprints([quoted(3, 'eval(a);')], []));
  });

  test('does not depend on level, message or weakness', () => {
    const reworded = onLine(3, {
      message: { text: 'Other words.' },
      level: 'error',
      taxa: [{ id: 'CWE-95' }],
      properties: { tags: ['external/cwe/cwe-095'], 'security-severity': '9.8' },
    });
    expect(fingerprints([reworded])).toEqual(fingerprints([onLine(3)]));
  });

  test('contains its rule and its file', () => {
    const others = [onLine(3, { ruleId: 'other' }), result({}, 'src/b.ts', 3), onLine(3)];
    expect(new Set(fingerprints(others)).size).toBe(3);
  });

  test('consists of the fingerprints of its tool if there are any, otherwise of the partial ones', () => {
    const partial = { partialFingerprints: { primaryLocationLineHash: 'f00:1' } };
    const both = { ...partial, fingerprints: { 'matchBasedId/v1': 'abc' } };
    expect(fingerprints([onLine(3, partial)])).toEqual(fingerprints([onLine(7, partial)]));
    expect(fingerprints([onLine(3, both)])).toEqual(
      fingerprints([onLine(7, { fingerprints: both.fingerprints })]),
    );
    expect(fingerprints([onLine(3, partial)])).not.toEqual(
      fingerprints([onLine(3, { partialFingerprints: { primaryLocationLineHash: 'f00:2' } })]),
    );
  });

  test('ignores partial fingerprints with a person, a commit, a file or a placeholder', () => {
    const partialFingerprints = {
      scanFileHash: '1',
      email: 'x@example.com',
      commitSha: 'abc',
      primaryLocationStartColumnFingerprint: '4',
      id: 'requires login',
      broken: {},
    };
    expect(fingerprints([onLine(3, { partialFingerprints })])).toEqual(fingerprints([onLine(3)]));
  });

  test('contains its number among equal results, so that fifty of them become fifty findings', () => {
    const same = Array.from({ length: 50 }, (_, index) => quoted(index + 1, 'eval(a)'));
    expect(new Set(fingerprints(same, null)).size).toBe(50);
    const given = same.map((each) => ({ ...each, partialFingerprints: { primaryLocationLineHash: 'f00' } }));
    expect(new Set(fingerprints(given, null)).size).toBe(50);
  });

  test('is its message if nothing else is known, with the tag weak-identity', () => {
    expect(tags({}, null)).toContain('weak-identity');
    expect(fingerprints([onLine(3)], null)).not.toEqual(fingerprints([onLine(4)], null));
    for (const strong of [tags({}), tags({ partialFingerprints: { a: '1' } }, null)])
      expect(strong).not.toContain('weak-identity');
  });
});

describe('[D12] a result in the first line of a file', () => {
  const first = (region: Part = {}) =>
    result({ locations: [at({ uri: 'main.tf' }, { startLine: 1, ...region })] });

  test('is identified by its message if nothing shows that the tool means the line', () => {
    for (const region of [{}, { endLine: 1 }, { startColumn: 1, endColumn: 1 }, { endLine: 7 }]) {
      const [weak] = [tags(first(region))];
      expect(weak).toContain('weak-identity');
      expect(weak.join()).not.toContain('identity:code:');
    }
  });

  test('is identified by its line if the tool quotes it or gives columns', () => {
    for (const region of [{ snippet: { text: code[0] } }, { startColumn: 5 }, { endColumn: 9 }])
      expect(tags(first(region))).not.toContain('weak-identity');
  });
});

describe('the hash of a line', () => {
  const secret = 'correct horse battery staple';
  const found = (value: string) =>
    importSarif(log(run([result({ ruleId: 'hardcoded-password' }, 'src/a.ts', 2)])), {
      linesOf: () => ['', `const password = "${value}";`],
    }).findings[0]?.fingerprint;

  test('[T10] does not depend on a secret in the line', () => {
    expect(found(secret)).toBe(found('another one'));
  });
});

test('the identity does not depend on the location of the repository', () => {
  const there = (root: string) =>
    imported(log(run([result({}, `file://${root}/src/a.ts`)])), { roots: [root] }).only.fingerprint;
  expect(there('/home/one/repo')).toBe(there('/ci/work'));
});
