import { describe, expect, test } from 'vitest';
import { at, log, result, run, type Part } from '../../test/sarif.ts';
import { matchFindings } from '../following/matching.ts';
import { importSarif } from '../sarif/import.ts';

const LOCK = ['{', '"left-pad": "1.3.0",', '"pad": "2.0.0"', '}'];
const FILE = 'package-lock.json';

interface Vulnerable {
  readonly rule?: string;
  /** The name of the package; undefined if the log does not give it. */
  readonly name?: string | undefined;
  readonly file?: string;
  readonly region?: Part;
  readonly more?: Part;
}

function vulnerable({ rule = 'CVE-2024-1', name, file = FILE, region = {}, more }: Vulnerable): Part {
  const logicalLocations = name === undefined ? [] : [{ fullyQualifiedName: name }];
  const message = { text: `${name ?? 'A package'} is vulnerable to ${rule}.` };
  return result({
    ruleId: rule,
    message,
    locations: [{ ...at({ uri: file }, region), logicalLocations }],
    ...more,
  });
}

function scanned(...results: readonly Vulnerable[]) {
  const text = log(run(results.map(vulnerable)));
  const { findings } = importSarif(text, { linesOf: () => LOCK });
  return findings.map((finding, index) => ({ id: `F-${index + 1}`, ...finding }));
}

const fingerprintOf = (of: Vulnerable) => scanned(of)[0]?.fingerprint;
const tagsOf = (of: Vulnerable) => scanned(of)[0]?.tags ?? [];
const isWeak = (of: Vulnerable) => tagsOf(of).includes('weak-identity');

function packages(
  before: ReturnType<typeof scanned>,
  now: ReturnType<typeof scanned>,
  renamed?: Map<string, string>,
) {
  return matchFindings(before, now, { ...(renamed && { renamed }), lineNow: (_file, line) => line })
    .map((match) => [match.before.affected.component, match.now.affected.component])
    .toSorted(([one = ''], [other = '']) => (one < other ? -1 : 1));
}

describe('[D12] a published vulnerability whose package is named', () => {
  const named = { name: 'left-pad', region: { startLine: 1 } };

  test('is identified by its id and package, regardless of its line', () => {
    const all = [{}, { startLine: 1 }, { startLine: 2 }, { startLine: 3, snippet: { text: 'other' } }];
    const fingerprints = all.map((region) => fingerprintOf({ name: 'left-pad', region }));
    expect(new Set(fingerprints).size).toBe(1);
    expect(isWeak(named)).toBe(false);
    expect(tagsOf({ ...named, region: { startLine: 3 } }).join()).not.toContain('identity:');
  });

  test('differs from one of another package, another file or another id', () => {
    const others = [
      named,
      { ...named, name: 'pad' },
      { ...named, rule: 'CVE-2024-2' },
      { ...named, file: 'a.lock' },
    ];
    expect(new Set(others.map(fingerprintOf)).size).toBe(4);
    expect(packages(scanned(named), scanned({ ...named, name: 'pad' }))).toEqual([]);
  });

  test('is matched when its file is renamed or its tool begins to write fingerprints', () => {
    const renamed = new Map([[FILE, 'web/package-lock.json']]);
    const moved = { ...named, file: 'web/package-lock.json' };
    expect(packages(scanned(named), scanned(moved), renamed)).toEqual([['left-pad', 'left-pad']]);
    const hashed = { ...named, more: { partialFingerprints: { a: '1' } } };
    expect(packages(scanned(named), scanned(hashed))).toEqual([['left-pad', 'left-pad']]);
    expect(tagsOf(hashed).join()).not.toContain('identity:code:');
  });
});

describe('[D12] a published vulnerability without the name of a package', () => {
  test('is identified by its line, but not by the first line, which stands for all packages', () => {
    expect(isWeak({ region: { startLine: 2 } })).toBe(false);
    for (const region of [{}, { startLine: 1 }, { startLine: 1, snippet: { text: '{' }, startColumn: 2 }])
      expect(isWeak({ region })).toBe(true);
    expect(fingerprintOf({ region: { startLine: 2 } })).not.toBe(fingerprintOf({ region: { startLine: 3 } }));
  });

  test('has no package name where the log repeats the path of the file', () => {
    const file = 'lib/apk/db/installed';
    for (const name of [file, `alpine@sha256:1234:/${file}`, ' '])
      expect(isWeak({ name, file, region: { startLine: 1 } })).toBe(true);
  });
});
