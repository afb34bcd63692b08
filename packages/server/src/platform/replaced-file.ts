/**
 * A JSON file that an operator replaces while the service runs, read so that a reader gets it wholly old or wholly new.
 *
 * Each reading is through one descriptor, whose file must be the same before and after. Another file that was moved to the
 * name, and not written since, counts at once: the system then keeps a later time for the file than for its content. A file
 * that is written over in place is different: where new content is laid over the old one, half of it can even be JSON. That
 * counts once it was read twice alike, some time apart. What can not be used must stay so for longer, since that is what a
 * file looks like while it is written.
 *
 * The last reading is kept by what the system says of the file. Times of files are coarse: a change right after a reading
 * need not show. So a reading is trusted only when the file was at rest before it, and else made again, which is cheap.
 */
import { constants, type BigIntStats } from 'node:fs';
import { open, stat, type FileHandle } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import type { Clock } from '#platform/clock';

const PAUSE_MS = 100;
/** Alike as often in a row, it is what the operator wants. */
const USABLE_ALIKE = 2;
const UNUSABLE_ALIKE = 4;
/** Where there was something usable before: a busy disk keeps a writer waiting for long, and its readers not. */
const UNUSABLE_ALIKE_AFTER_USABLE = 15;
/** A file that goes on changing is given up for now. */
const READINGS_MAX = 20;
/** Far more than the steps in which any file system counts time. */
const AT_REST_MS = 2000;

export type Contents =
  | { readonly bytes: Uint8Array; readonly problem?: never }
  /** Reads on from the name of the file: `it is no JSON object`. */
  | { readonly problem: string; readonly bytes?: never };

export interface ReplacedFile {
  read(): Promise<Contents>;
}

interface Reading {
  readonly contents: Contents;
  /** The file as it was then; null when it was not the same before and after. */
  readonly identity: string | null;
  /** Which file it was, whatever is in it; null when there was none. */
  readonly place: string | null;
  /** Since it was written. */
  readonly isMoved: boolean;
  readonly changedMs: number;
}

/**
 * @param bytesMax a larger file is not read.
 * @param pause between two readings.
 */
export function createReplacedFile(
  file: string,
  bytesMax: number,
  clock: Clock,
  pause: (ms: number) => Promise<unknown> = delay,
): ReplacedFile {
  let kept: (Reading & { readonly isTrusted: boolean }) | undefined;
  let underWay: Promise<Contents> | undefined;
  let next: Promise<Contents> | undefined;

  function keep(reading: Reading): Contents {
    const isTrusted = reading.identity !== null && Math.abs(clock.now() - reading.changedMs) > AT_REST_MS;
    kept = { ...reading, isTrusted };
    return reading.contents;
  }

  /** The content that is known, or that of another file. */
  function countsAtOnce({ contents, identity, place, isMoved }: Reading): boolean {
    if (!contents.bytes || identity === null || kept === undefined) return false;
    return isAlike(contents, kept.contents) || (isMoved && place !== kept.place);
  }

  function alikeEnough({ contents }: Reading): number {
    if (contents.bytes) return USABLE_ALIKE;
    return kept?.contents.bytes ? UNUSABLE_ALIKE_AFTER_USABLE : UNUSABLE_ALIKE;
  }

  async function readAnew(): Promise<Contents> {
    let last = await readOnce(file, bytesMax);
    if (countsAtOnce(last)) return keep(last);
    let alike = 1;
    for (let readings = 1; readings < READINGS_MAX; readings += 1) {
      await pause(PAUSE_MS);
      const again = await readOnce(file, bytesMax);
      if (countsAtOnce(again)) return keep(again);
      const isSame = again.identity !== null && again.identity === last.identity;
      alike = isSame && isAlike(again.contents, last.contents) ? alike + 1 : 1;
      last = again;
      if (alike >= alikeEnough(again)) return keep(again);
    }
    return kept?.contents ?? { problem: 'it does not stop changing' };
  }

  return {
    async read() {
      if (kept?.isTrusted && (await identityOf(file)) === kept.identity) return kept.contents;
      if (!underWay) return begin();
      // One that is under way may have looked before the file was replaced; all who come now share the one after it.
      next ??= underWay.then(begin, begin);
      return next;
    },
  };

  function begin(): Promise<Contents> {
    next = undefined;
    underWay = readAnew().finally(() => {
      if (!next) underWay = undefined;
    });
    return underWay;
  }
}

async function readOnce(file: string, bytesMax: number): Promise<Reading> {
  let handle: FileHandle | undefined;
  try {
    // A pipe would be waited for.
    handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK);
    return await readFrom(handle, bytesMax);
  } catch (error) {
    const code = codeOf(error);
    const contents = { problem: `the system says ${code}` };
    return { contents, identity: code, place: null, isMoved: false, changedMs: 0 };
  } finally {
    await handle?.close();
  }
}

async function readFrom(handle: FileHandle, bytesMax: number): Promise<Reading> {
  const before = await handle.stat({ bigint: true });
  const found = (contents: Contents, identity: string | null = nameOf(before)): Reading => ({
    contents,
    identity,
    place: `${before.dev} ${before.ino}`,
    isMoved: before.ctimeNs > before.mtimeNs,
    changedMs: Number(before.ctimeMs),
  });
  if (!before.isFile()) return found({ problem: 'it is no regular file' });
  if (before.size > bytesMax) return found({ problem: `it is larger than ${bytesMax} bytes` });
  const bytes = await readUpTo(handle, Number(before.size));
  const after = await handle.stat({ bigint: true });
  const isWhole = nameOf(before) === nameOf(after) && bytes.length === Number(after.size);
  return found(
    isJsonObject(bytes) ? { bytes } : { problem: 'it is no JSON object' },
    isWhole ? nameOf(before) : null,
  );
}

/** One byte more is asked for, so that a file that has grown is seen to have. */
async function readUpTo(handle: FileHandle, sizeBytes: number): Promise<Uint8Array> {
  const buffer = Buffer.alloc(sizeBytes + 1);
  let length = 0;
  while (length < buffer.length) {
    const { bytesRead } = await handle.read(buffer, length, buffer.length - length, length);
    if (bytesRead === 0) break;
    length += bytesRead;
  }
  return buffer.subarray(0, length);
}

/** What the system says of a file, or why it says nothing. */
function identityOf(file: string): Promise<string> {
  return stat(file, { bigint: true }).then(nameOf, codeOf);
}

function nameOf({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): string {
  return [dev, ino, size, mtimeNs, ctimeNs].join(' ');
}

/** The system's word for it; what has none is a fault of ours. */
function codeOf(error: unknown): string {
  const { code } = error as NodeJS.ErrnoException;
  if (code === undefined) throw error;
  return code;
}

function isJsonObject(bytes: Uint8Array): boolean {
  try {
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}

function isAlike(one: Contents, other: Contents): boolean {
  if (one.bytes && other.bytes) return Buffer.compare(one.bytes, other.bytes) === 0;
  return one.problem === other.problem;
}
