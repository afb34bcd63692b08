/**
 * A JSON file that an operator replaces while the service runs. A reader gets either the old content or the new, never
 * a mix.
 *
 * Each reading uses one descriptor, and the file must be the same before and after. A file that was moved to the name,
 * and not written since, is accepted immediately: its change time is then later than its modification time. A file that
 * is overwritten in place is different, because a mix of new and old content can even be valid JSON. It is accepted
 * after two equal readings some time apart. An unusable file must stay the same for longer, since a file looks like
 * that while it is being written.
 *
 * The last reading is cached under the file's metadata. File times are coarse, so a change right after a reading may
 * not show. A cached reading is therefore trusted only when the file was at rest before it; otherwise the file is read
 * again, which is cheap.
 */
import { constants, type BigIntStats } from 'node:fs';
import { open, stat, type FileHandle } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import type { Clock } from '#platform/clock';

const PAUSE_MS = 100;
/** When this many readings in a row are equal, the content is accepted. */
const USABLE_ALIKE = 2;
const UNUSABLE_ALIKE = 4;
/**
 * The number for an unusable file after a usable one: a busy disk can delay the writer for long, but not its readers.
 */
const UNUSABLE_ALIKE_AFTER_USABLE = 15;
/** After this many readings, gives up on a file that keeps changing. */
const READINGS_MAX = 20;
/** Far more than the time resolution of any file system. */
const AT_REST_MS = 2000;

export type Contents =
  | { readonly bytes: Uint8Array; readonly problem?: never }
  /** Continues a sentence after the name of the file: `it is not a JSON object`. */
  | { readonly problem: string; readonly bytes?: never };

export interface ReplacedFile {
  read(): Promise<Contents>;
}

interface Reading {
  readonly contents: Contents;
  /** The version of the file that was read; null when the file changed meanwhile. */
  readonly identity: string | null;
  /** Identifies the file, whatever its content; null when there was no file. */
  readonly place: string | null;
  /** The file was moved after it was written. */
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

  /** True for the known content, and for that of another file that was moved to the name. */
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
    return kept?.contents ?? { problem: 'it keeps changing' };
  }

  return {
    async read() {
      if (kept?.isTrusted && (await identityOf(file)) === kept.identity) return kept.contents;
      if (!underWay) return begin();
      // A reading under way may have begun before the file was replaced, so all new callers share the next one.
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
    // Opening a pipe would block.
    handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK);
    return await readFrom(handle, bytesMax);
  } catch (error) {
    const code = codeOf(error);
    const contents = { problem: `system error ${code}` };
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
  if (!before.isFile()) return found({ problem: 'it is not a regular file' });
  if (before.size > bytesMax) return found({ problem: `it is larger than ${bytesMax} bytes` });
  const bytes = await readUpTo(handle, Number(before.size));
  const after = await handle.stat({ bigint: true });
  const isWhole = nameOf(before) === nameOf(after) && bytes.length === Number(after.size);
  return found(
    isJsonObject(bytes) ? { bytes } : { problem: 'it is not a JSON object' },
    isWhole ? nameOf(before) : null,
  );
}

/** Reads one byte more, to detect a file that has grown. */
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

/** The file's metadata, or why it cannot be read. */
function identityOf(file: string): Promise<string> {
  return stat(file, { bigint: true }).then(nameOf, codeOf);
}

function nameOf({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): string {
  return [dev, ino, size, mtimeNs, ctimeNs].join(' ');
}

/** The system's error code; an error without one is a bug. */
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
