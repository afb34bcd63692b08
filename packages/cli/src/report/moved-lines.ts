/**
 * Where files and lines of an earlier commit are in a later one, from git. The two commits are compared with each other and
 * not with the files on disk, for which git would run filters that the repository's own settings name.
 */
import type { LineNow, MatchOptions } from '@svc/report';
import type { Environment } from '../environment.ts';
import { gitOutput } from '../programs/git.ts';

export type MovedLines = Required<MatchOptions>;

const TIME_LIMIT_MS = 30_000;
const OUTPUT_BYTES_MAX = 64 * 1024 * 1024;

export interface Commits {
  /** A folder in the repository; absolute, with symbolic links resolved. */
  readonly folder: string;
  /** 7 to 64 hexadecimal digits. */
  readonly before: string;
  readonly now: string;
  readonly environment: Environment;
}

/** Undefined when git is missing, or lacks one of the commits, as in a shallow clone. */
export async function movedLines({
  folder,
  before,
  now,
  environment,
}: Commits): Promise<MovedLines | undefined> {
  if (before === now) return { renamed: new Map(), lineNow: (_file, line) => line };
  const diff = (...options: readonly string[]) =>
    gitOutput({
      folder,
      environment,
      arguments: [...DIFF, ...options, before, now, '--'],
      timeLimitMs: TIME_LIMIT_MS,
      outputBytesMax: OUTPUT_BYTES_MAX,
    });
  const whole = await diff('--patch-with-raw', '--unified=0', '--inter-hunk-context=0');
  if (whole !== undefined) return movesIn(whole);
  // Too much has changed to compare every line.
  const names = await diff('--raw');
  return names && { ...movesIn(names), lineNow: () => undefined };
}

const DIFF = [
  'diff',
  '-z',
  '--find-renames',
  '--diff-filter=DMRT',
  // Lines that differ only in whitespace count as the same.
  '--ignore-all-space',
  '--irreversible-delete',
  '--no-abbrev',
  '--full-index',
  '--no-color',
  '--no-ext-diff',
  // Attributes in the repository could mark a file as binary, which would hide its lines.
  '--text',
  '--no-textconv',
  '--no-relative',
  '--ignore-submodules=all',
  '--diff-algorithm=histogram',
] as const;

interface Change {
  readonly before: string;
  /** Undefined for a deleted file. */
  readonly now: string | undefined;
  readonly hunks: readonly Hunk[];
}

/** Lines of a file, counted from 1: `removed` lines from `start` on were replaced by `added` ones. */
interface Hunk {
  readonly start: number;
  readonly removed: number;
  readonly added: number;
}

const NO_LINES = { first: 1, last: 0 };

function movesIn(output: Buffer): MovedLines {
  const changes = changesIn(output);
  const byFile = new Map(changes.map((change) => [change.before, change]));
  return {
    renamed: new Map(changes.flatMap(({ before, now = before }) => (before === now ? [] : [[before, now]]))),
    lineNow: (file, line) => {
      const change = byFile.get(file);
      if (change === undefined) return line;
      return change.now === undefined ? NO_LINES : lineAfter(change.hunks, line);
    },
  };
}

function lineAfter(hunks: readonly Hunk[], line: number): LineNow {
  let shift = 0;
  for (const { start, removed, added } of hunks) {
    // If nothing was removed, `start` is the line before the added ones, and does not move itself.
    if (removed === 0 ? line <= start : line < start) break;
    if (line < start + removed) return { first: start + shift, last: start + shift + added - 1 };
    shift += added - removed;
  }
  return line + shift;
}

/** `:100644 100644`, two hashes and a letter, which after a rename is `R` with a number. */
const RAW = /^:\d{6} \d{6} ([0-9a-f]+) ([0-9a-f]+) ([DMRT])\d*$/;
/** A patch is identified by its two hashes, because file names are quoted in patches. */
const INDEX = /^index ([0-9a-f]+)\.\.([0-9a-f]+)/;
const HUNK = /^@@ -(\d+)(?:,(\d+))? \+\d+(?:,(\d+))? @@/;

/** Reads the list of files, in parts that end with a zero byte, and then the patches. */
function changesIn(output: Buffer): Change[] {
  const changes: Change[] = [];
  const patches = new Map<string, Hunk[]>();
  const patchOf = (before: string, now: string) => {
    const key = `${before} ${now}`;
    const hunks = patches.get(key) ?? [];
    patches.set(key, hunks);
    return hunks;
  };
  let at = 0;
  const part = () => {
    const end = output.indexOf(0, at);
    const text = end < 0 ? '' : output.toString('utf8', at, end);
    at = end < 0 ? output.length : end + 1;
    return text;
  };
  while (output[at] === ':'.charCodeAt(0)) {
    const [, blobBefore = '', blobNow = '', kind] = RAW.exec(part()) ?? [];
    if (kind === undefined) return changes;
    const before = part().normalize('NFC');
    const now = kind === 'R' ? part().normalize('NFC') : kind === 'M' ? before : undefined;
    changes.push({ before, now, hunks: patchOf(blobBefore, blobNow) });
  }
  if (output[at] === 0) at += 1;
  readPatches(output.subarray(at), patchOf);
  return changes;
}

/** Files with the same two hashes have the same patch, so only the first is read. */
function readPatches(bytes: Buffer, patchOf: (before: string, now: string) => Hunk[]): void {
  let hunks: Hunk[] = [];
  for (const line of linesOf(bytes)) {
    const [, before, now] = INDEX.exec(line) ?? [];
    if (before !== undefined && now !== undefined) {
      const known = patchOf(before, now);
      hunks = known.length === 0 ? known : [];
    }
    const [, start, removed = '1', added = '1'] = HUNK.exec(line) ?? [];
    if (start !== undefined)
      hunks.push({ start: Number(start), removed: Number(removed), added: Number(added) });
  }
}

/**
 * Yields the lines that begin with `@` or `i`, as hunks and `index` do. Lines of the files themselves have a prefix.
 */
function* linesOf(bytes: Buffer): Generator<string> {
  for (let start = 0; start < bytes.length;) {
    const found = bytes.indexOf(0x0a, start);
    const end = found < 0 ? bytes.length : found;
    const first = bytes[start];
    if (first === 0x40 || first === 0x69) yield bytes.toString('latin1', start, end);
    start = end + 1;
  }
}
