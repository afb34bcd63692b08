import { EventEmitter, once } from 'node:events';
import {
  mkdir,
  mkdtemp,
  open,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  unlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setImmediate as immediate, setTimeout as delay } from 'node:timers/promises';
import { inLane } from '@svc/testkit/lane';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createReplacedFile, type ReplacedFile } from '#platform/replaced-file';
import { systemClock } from '#platform/clock';

const BYTES_MAX = 256 * 1024;
const REPLACEMENTS = inLane(30, 300);

let folder: string;
let file: string;
let count = 0;
let read: () => Promise<string>;
/** Emits each step of a writer. */
const writer = new EventEmitter();

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'svc-replaced-'));
});
afterAll(() => rm(folder, { recursive: true }));
beforeEach(() => {
  file = path.join(folder, `manifest-${count++}.json`);
  // Nobody writes while these tests read, so no pause is needed.
  read = readerOf(createReplacedFile(file, BYTES_MAX, systemClock, () => immediate()));
});

/** The content, or what is wrong with it. */
function readerOf(replaced: ReplacedFile): () => Promise<string> {
  return async () => {
    const { bytes, problem } = await replaced.read();
    return bytes ? Buffer.from(bytes).toString() : problem;
  };
}

/** JSON whose halves both contain the generation, so that a mix of two generations equals neither of them. */
const contentOf = (generation: number, length = 60_000) =>
  JSON.stringify({ payload: `${generation}.`.repeat(length).slice(0, length), end: generation });

async function renameOver(content: string): Promise<void> {
  await writeFile(`${file}.new`, content);
  await rename(`${file}.new`, file);
}

/** Like `cp`: truncates the file first. */
const truncateAndWrite = (content: string) => writeInPlace(content, true);
/** Like some editors: overwrites the old content from the beginning. */
const writeOver = (content: string) => writeInPlace(content, false);

async function writeInPlace(content: string, emptiesFirst: boolean): Promise<void> {
  const bytes = Buffer.from(content);
  const handle = await open(file, emptiesFirst ? 'w' : 'r+');
  const pieceLength = Math.ceil(bytes.length / 5);
  for (let from = 0; from < bytes.length; from += pieceLength) {
    await handle.write(bytes, from, Math.min(pieceLength, bytes.length - from), from);
    writer.emit('step');
  }
  await handle.truncate(bytes.length);
  await handle.close();
}

describe('the content of a file', () => {
  test('[D14] is returned unchanged, including white space', async () => {
    const content = ' {\r\n\t"payload" : "é"}\n\n';
    await writeFile(file, content);
    expect(await read()).toBe(content);
    expect(await read()).toBe(content);
  });

  test.each([
    ['nothing', ''],
    ['other text', 'not JSON'],
    ['half an object', '{"payload":'],
    ['an array', '[]'],
    ['null', 'null'],
    ['a text', '"text"'],
    ['bytes that are not UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])],
  ])('[D14] is rejected when it is %s instead of a JSON object', async (_, content) => {
    await writeFile(file, content);
    expect(await read()).toBe('it is not a JSON object');
  });

  test('[D14] may be as large as the limit and no larger', async () => {
    const most = contentOf(1, BYTES_MAX - 27);
    const padded = most.padEnd(BYTES_MAX, ' ');
    await writeFile(file, padded);
    expect(await read()).toBe(padded);
    await writeFile(file, `${padded} `);
    expect(await read()).toBe(`it is larger than ${BYTES_MAX} bytes`);
  });

  test('[D14] is reported as missing, and found once it exists', async () => {
    expect(await read()).toBe('system error ENOENT');
    await writeFile(file, '{}');
    expect(await read()).toBe('{}');
    await unlink(file);
    expect(await read()).toBe('system error ENOENT');
  });

  test('[D14] is read from regular files only', async () => {
    await mkdir(file);
    expect(await read()).toMatch(/not a regular file|EISDIR/);
  });

  test('[D14] is found behind a link, even after the link changes', async () => {
    await writeFile(`${file}.one`, '{"one":1}');
    await writeFile(`${file}.two`, '{"two":2}');
    await symlink(`${file}.one`, file);
    expect(await read()).toBe('{"one":1}');
    await symlink(`${file}.two`, `${file}.link`);
    await rename(`${file}.link`, file);
    expect(await read()).toBe('{"two":2}');
  });
});

describe('a replaced file', () => {
  test.each([
    ['renamed over', renameOver],
    ['emptied and written', truncateAndWrite],
    ['written over', writeOver],
  ])('[D14] is read again immediately after it was %s', async (_, replace) => {
    await writeFile(file, contentOf(0));
    expect(await read()).toBe(contentOf(0));
    for (let generation = 1; generation <= 5; generation += 1) {
      await replace(contentOf(generation));
      expect(await read()).toBe(contentOf(generation));
    }
  });

  test('[D14] is read even if size and modification time did not change', async () => {
    await writeFile(file, '{"a":1}');
    const { atime, mtime } = await stat(file);
    expect(await read()).toBe('{"a":1}');
    await writeFile(file, '{"a":2}');
    await utimes(file, atime, mtime);
    expect(await read()).toBe('{"a":2}');
  });

  test(
    '[T21] is always read wholly old or wholly new, however the file is replaced',
    { tags: 'repeated' },
    async () => {
      const replacing = [renameOver, truncateAndWrite, writeOver];
      await writeFile(file, contentOf(0));
      expect(await read()).toBe(contentOf(0));
      const over = new AbortController();
      // While a reader pauses, a running writer continues, however busy the disk is.
      let isWriting = false;
      read = readerOf(
        createReplacedFile(file, BYTES_MAX, systemClock, () => (isWriting ? once(writer, 'step') : delay(1))),
      );
      expect(await read()).toBe(contentOf(0));
      const seen: string[] = [];
      const readers = Array.from({ length: 4 }, async () => {
        while (!over.signal.aborted) seen.push(await read());
      });
      for (let generation = 1; generation <= REPLACEMENTS; generation += 1) {
        isWriting = true;
        await replacing[generation % 3]?.(contentOf(generation));
        isWriting = false;
        writer.emit('step');
        // Occasionally waits until one of the contents has been read.
        if (generation % 5 === 0) seen.push(await read());
      }
      over.abort();
      await Promise.all(readers);
      const whole = new Set(
        Array.from({ length: REPLACEMENTS + 1 }, (_, generation) => contentOf(generation)),
      );
      expect(seen.filter((content) => !whole.has(content))).toEqual([]);
      expect(new Set(seen).size).toBeGreaterThan(5);
      expect(await read()).toBe(contentOf(REPLACEMENTS));
    },
  );

  test('[T21] is not accepted while it is half new and half old, even if that is valid JSON', async () => {
    const [old, fresh] = [contentOf(1), contentOf(2)];
    const bytes = Buffer.from(fresh);
    let pauses = 0;
    let halfSeen = '';
    // The writer continues while the reader waits for changes.
    const slowly = readerOf(
      createReplacedFile(file, BYTES_MAX, systemClock, async () => {
        pauses += 1;
        if (pauses !== 2) return;
        halfSeen = await readFile(file, 'utf8');
        await writeOver(fresh);
      }),
    );
    await writeFile(file, old);
    expect(await slowly()).toBe(old);
    expect(pauses).toBe(1);
    const handle = await open(file, 'r+');
    await handle.write(bytes, 0, bytes.length / 2, 0);
    await handle.close();
    expect(await slowly()).toBe(fresh);
    expect(Object.keys(JSON.parse(halfSeen))).toEqual(['payload', 'end']);
    expect([old, fresh]).not.toContain(halfSeen);
  });
});
