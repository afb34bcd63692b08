import { describe, expect, test } from 'vitest';
import { at, log, result, run, type Part } from '../../test/sarif.ts';
import { matchFindings } from '../following/matching.ts';
import { importSarif } from '../sarif/import.ts';
import { legacyMoves } from '../sarif/legacy-moves.ts';
import { numberedFingerprint } from './imported-identity.ts';
import { codeKeyOf } from './identity-tags.ts';
import { contextOf } from './line-context.ts';

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

/** The findings as earlier versions identified them: by the code of their line, with its tag. */
function formerly(...results: readonly Vulnerable[]) {
  const counts = new Map<string, number>();
  return scanned(...results).map((finding, index) => {
    const { rule = 'CVE-2024-1' } = results[index] ?? {};
    const context = contextOf(LOCK, finding.affected.lineStart ?? 1);
    const key = codeKeyOf(rule, context ?? { line: '', above: '', below: '' });
    const number = (counts.get(key) ?? 0) + 1;
    counts.set(key, number);
    const kept = (finding.tags ?? []).filter((tag) => !tag.startsWith('was:') && tag !== 'weak-identity');
    const fingerprint = numberedFingerprint(finding.affected, ['code', key], number);
    return { ...finding, fingerprint, tags: [...kept, `was:code:${key}`] };
  });
}

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
    expect(tagsOf({ ...named, region: { startLine: 3 } }).join()).not.toContain('was:');
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
    expect(tagsOf(hashed).join()).not.toContain('was:code:');
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

describe('[D26] a published vulnerability that was identified by its line', () => {
  const first = (name: string) => ({ name, region: { startLine: 1 } });

  test('is matched by its package, and not with another package of the same line', () => {
    const before = formerly(first('libcrypto'), first('nodejs'));
    expect(packages(before, scanned(first('nodejs')))).toEqual([['nodejs', 'nodejs']]);
    expect(packages(formerly(first('libcrypto')), scanned(first('nodejs')))).toEqual([]);
    expect(packages(before, scanned(first('nodejs'), first('libcrypto')))).toEqual([
      ['libcrypto', 'libcrypto'],
      ['nodejs', 'nodejs'],
    ]);
  });

  test('has its former fingerprint reported to the service only if the line names the package', () => {
    const inLine = { name: 'left-pad', region: { startLine: 2 } };
    const [former] = formerly(inLine);
    const now = scanned(inLine);
    expect(legacyMoves(now)).toMatchObject([{ from: former?.fingerprint, to: now[0]?.fingerprint }, {}]);
    for (const of of [
      first('left-pad'),
      { ...inLine, name: 'pad' },
      { name: 'libcrypto', region: { startLine: 3 } },
    ])
      expect(legacyMoves(scanned(of))).toEqual([]);
    expect(legacyMoves(scanned(inLine, { ...inLine, more: { level: 'error' } }))).toEqual([]);
  });

  test('has its former fingerprint reported for a quoted line only if the line names the package', () => {
    const quoted = (name: string, text: string) => ({ name, region: { startLine: 1, snippet: { text } } });
    expect(legacyMoves(scanned(quoted('nodejs', '{')))).toEqual([]);
    const inLine = { name: 'left-pad', region: { startLine: 2, snippet: { text: LOCK[1] } } };
    expect(legacyMoves(scanned(inLine))).toHaveLength(2);
  });
});
