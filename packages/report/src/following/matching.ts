/**
 * Matches the findings of a later report with those of an earlier one. Equal fingerprints are not enough: findings
 * in equal lines are numbered, a renamed file changes every fingerprint, and a tool may begin to write its own. So
 * findings are matched one to one by all of their identity tags, the most certain first, and equal ones by the
 * nearest lines. Uncertain pairs stay unmatched: a decision must never pass to another finding.
 */
import type { Affected } from '@svc/contract';
import { advisoryOf } from '../identity/advisories.ts';
import { identityTagsIn, partsOfCodeKey, type IdentityTags } from '../identity/identity-tags.ts';
import { isInRepository, isNamedOnly } from '../identity/location.ts';
import { NumberedFingerprints } from '../identity/numbered-fingerprints.ts';

export interface Matchable {
  readonly fingerprint: string;
  readonly affected: Pick<Affected, 'file' | 'route' | 'origin' | 'lineStart'> &
    Partial<Pick<Affected, 'component'>>;
  readonly tags?: readonly string[] | undefined;
}

export interface Match<Before, Now> {
  readonly before: Before;
  readonly now: Now;
}

export interface MatchOptions {
  /** The renamed files, by their old names. */
  readonly renamed?: ReadonlyMap<string, string>;
  /** Where a line of the earlier report's file is now; undefined where that is unknown. */
  readonly lineNow?: (fileBefore: string, line: number) => LineNow | undefined;
}

/** From the first to the last line; empty when the last precedes the first. */
export interface LineRange {
  readonly first: number;
  readonly last: number;
}

/** The number of an unchanged line; for a changed one, the lines that replaced its whole block of changed lines. */
export type LineNow = number | LineRange;

/**
 * Options for all findings of the earlier report, or a function that returns the options for the commit of each
 * finding.
 */
export type MovedSince<Before> = MatchOptions | ((before: Before) => MatchOptions | undefined);

/** At most one match for each finding of either report, in no particular order. */
export function matchFindings<Before extends Matchable, Now extends Matchable>(
  before: readonly Before[],
  now: readonly Now[],
  moved: MovedSince<Before> = {},
): Match<Before, Now>[] {
  if (before.length === 0 || now.length === 0) return [];
  const olds = before.map((finding) => describedBefore(finding, movesOf(finding, moved)));
  const news = now.map((finding) => describedNow(finding));
  const matches: Match<Before, Now>[] = [];
  for (const step of stepsFor(new NumberedFingerprints())) {
    if (step.isInSuccessors) findSuccessors(olds, news);
    const waiting = bucketsOf(news, step);
    for (const [key, some] of bucketsOf(olds, step)) {
      for (const [old, found] of pairs(some, waiting.get(key) ?? [], step)) {
        old.isMatched = true;
        found.isMatched = true;
        old.fileNow = found.file;
        matches.push({ before: old.finding as Before, now: found.finding as Now });
      }
    }
  }
  return matches;
}

interface Described {
  readonly finding: Matchable;
  readonly file: string | undefined;
  readonly line: number | undefined;
  /** For a later finding, its line. For an earlier one, where its line is now if the line is unchanged. */
  readonly exactLine: number | undefined;
  /** Set for an earlier finding: where its line may be now; undefined where that is unknown. */
  readonly range: LineRange | undefined;
  readonly identity: IdentityTags;
  /**
   * For a later finding, its file. For an earlier one, the file of its match or the successor of its file, if known.
   */
  fileNow: string | undefined;
  isMatched: boolean;
}

function movesOf<Before>(finding: Before, moved: MovedSince<Before>): MatchOptions {
  return (typeof moved === 'function' ? moved(finding) : moved) ?? {};
}

function describedBefore(finding: Matchable, { renamed, lineNow }: MatchOptions): Described {
  const { lineStart } = finding.affected;
  const file = knownFileOf(finding);
  const isKnownToGit = file !== undefined && lineStart !== undefined && isInRepository(file);
  const moved = isKnownToGit ? lineNow?.(file, lineStart) : undefined;
  const exactLine = typeof moved === 'number' ? moved : undefined;
  const range = typeof moved === 'number' ? { first: moved, last: moved } : moved;
  return {
    finding,
    file: file === undefined ? undefined : (renamed?.get(file) ?? file),
    line: range === undefined || range.last < range.first ? lineStart : range.first,
    exactLine,
    range,
    identity: identityTagsIn(finding.tags ?? []),
    fileNow: undefined,
    isMatched: false,
  };
}

/**
 * Undefined for a file outside of the repository, since only its name is known: files in several folders can have it.
 */
function knownFileOf({ affected: { file } }: Matchable): string | undefined {
  return file === undefined || isNamedOnly(file) ? undefined : file;
}

function describedNow(finding: Matchable): Described {
  const { lineStart: line } = finding.affected;
  const file = knownFileOf(finding);
  return {
    finding,
    file,
    line,
    exactLine: line,
    range: undefined,
    identity: identityTagsIn(finding.tags ?? []),
    fileNow: file,
    isMatched: false,
  };
}

/**
 * What git knows about a line outweighs tool fingerprints and one neighbour: tools number equal results, and hash equal
 * lines equally. Both neighbours together outweigh git, which does not know about uncommitted changes.
 */
function mayBe(old: Described, found: Described): boolean {
  const { range } = old;
  const { line } = found;
  if (range === undefined || line === undefined || (line >= range.first && line <= range.last)) return true;
  return surroundingsOf(old) !== undefined && surroundingsOf(old) === surroundingsOf(found);
}

function hasLeft({ range, exactLine }: Described): boolean {
  return range !== undefined && exactLine === undefined;
}

/** Returns keys only for files of the repository: files outside of it may be copies of each other. */
function surroundingsOf({ file, identity: { codeKey } }: Described): string | undefined {
  if (file === undefined || !isInRepository(file)) return undefined;
  return codeKey && partsOfCodeKey(codeKey).above && codeKey;
}

/** If git knows that the line is still in its file, the same code elsewhere is a copy. */
function mayHaveLeft({ exactLine }: Described): boolean {
  return exactLine === undefined;
}

/**
 * Git does not recognize a file that was renamed and reindented in one change. If all matches of its findings are in
 * one new file, that file is its successor.
 */
function findSuccessors(olds: readonly Described[], news: readonly Described[]): void {
  const before = new Set(olds.map(({ file }) => file));
  const now = new Set(news.map(({ file }) => file));
  for (const [file, findings] of Map.groupBy(olds, (old) => old.file)) {
    if (file === undefined || now.has(file)) continue;
    const [successor, ...others] = new Set(findings.flatMap(({ fileNow }) => fileNow ?? []));
    if (successor === undefined || others.length > 0 || before.has(successor)) continue;
    for (const old of findings) old.fileNow = successor;
  }
}

interface Step {
  /** The keys of a finding. Two findings can match if they have one key in common. */
  readonly keys: (of: Described) => readonly (string | number | undefined)[][];
  /** Used only if there is one finding on each side. */
  readonly isAloneOnly?: boolean;
  /** Used only if both sides have the same number of findings. They are paired in the order of their lines. */
  readonly isEvenOnly?: boolean;
  /** Runs after successors of renamed files are known. */
  readonly isInSuccessors?: boolean;
  readonly fits?: (old: Described, found: Described) => boolean;
}

/** A key is used only when all of its parts are defined. */
const stepsFor = (numbered: NumberedFingerprints): readonly Step[] => [
  // The same, unchanged line.
  {
    keys: ({ file, exactLine, identity: { codeKey } }) => [
      [file, exactLine, codeKey && partsOfCodeKey(codeKey).line],
    ],
  },
  // The line has moved, and only one location has the same line and neighbours.
  { keys: (of) => [[surroundingsOf(of)]], isAloneOnly: true, fits: hasLeft },
  {
    keys: (of) => [[of.fileNow, surroundingsOf(of)]],
    isInSuccessors: true,
    isEvenOnly: true,
    fits: hasLeft,
  },
  { keys: ({ file, identity: { toolKeys } }) => toolKeys.map((toolKey) => [file, toolKey]), fits: mayBe },
  // The same published vulnerability of the same package, however it was identified.
  { keys: ({ file, finding }) => [[file, advisoryOf(finding)]] },
  { keys: ({ file, identity: { codeKey } }) => [[file, codeKey]] },
  // Equal fingerprints prove little if they differ from those of equal findings only by a number.
  {
    keys: ({ finding }) => [[finding.fingerprint]],
    fits: (old, found) => mayBe(old, found) || !numbered.has(found.finding),
  },
  // One of the neighbours was edited.
  {
    keys: ({ file, identity: { codeKey } }) => [[file, codeKey && partsOfCodeKey(codeKey).above]],
    isAloneOnly: true,
    fits: mayBe,
  },
  {
    keys: ({ file, identity: { codeKey } }) => [[file, codeKey && partsOfCodeKey(codeKey).below]],
    isAloneOnly: true,
    fits: mayBe,
  },
  // The finding moved to another file, with its neighbours.
  { keys: (of) => [[surroundingsOf(of)]], isAloneOnly: true, fits: mayHaveLeft },
];

function bucketsOf(all: readonly Described[], { keys }: Step): Map<string, Described[]> {
  const buckets = new Map<string, Described[]>();
  for (const each of all) {
    if (each.isMatched) continue;
    for (const parts of keys(each)) {
      if (parts.includes(undefined)) continue;
      const key = JSON.stringify(parts);
      const bucket = buckets.get(key);
      if (bucket) bucket.push(each);
      else buckets.set(key, [each]);
    }
  }
  return buckets;
}

/** Above this many pairs, findings are paired in order instead of by distance. */
const PAIRS_MAX = 40_000;

function pairs(
  olds: readonly Described[],
  news: readonly Described[],
  { isAloneOnly = false, isEvenOnly = false, fits = () => true }: Step,
): [Described, Described][] {
  const waiting = news.filter(({ isMatched }) => !isMatched);
  const free = olds.filter(({ isMatched }) => !isMatched);
  if (isAloneOnly && (free.length > 1 || waiting.length > 1)) return [];
  if (!isEvenOnly) return nearest(free, waiting, fits);
  return free.length === waiting.length ? inOrder(free, waiting, fits) : [];
}

type Fits = NonNullable<Step['fits']>;

function inOrder(olds: readonly Described[], news: readonly Described[], fits: Fits) {
  const byLine = (all: readonly Described[]) =>
    all.toSorted((one, other) => (one.line ?? 0) - (other.line ?? 0));
  const later = byLine(news);
  return byLine(olds)
    .slice(0, later.length)
    .map((old, index): [Described, Described] => [old, later[index] as Described])
    .filter(([old, found]) => fits(old, found));
}

function nearest(
  olds: readonly Described[],
  news: readonly Described[],
  fits: Fits,
): [Described, Described][] {
  if (olds.length * news.length > PAIRS_MAX) return inOrder(olds, news, fits);
  const all = olds.flatMap((old) =>
    news.filter((found) => fits(old, found)).map((found) => ({ old, found, ...distanceOf(old, found) })),
  );
  all.sort((one, other) => one.lines - other.lines || one.words - other.words);
  const taken = new Set<Described>();
  return all.flatMap(({ old, found }): [Described, Described][] => {
    if (taken.has(old) || taken.has(found)) return [];
    taken.add(old);
    taken.add(found);
    return [[old, found]];
  });
}

function distanceOf(old: Described, found: Described) {
  const lines = Math.abs((old.line ?? 0) - (found.line ?? 0));
  return { lines, words: old.finding.fingerprint === found.finding.fingerprint ? 0 : 1 };
}
