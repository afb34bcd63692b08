/**
 * Blobs as files in one folder, in 256 subfolders by the beginning of their names.
 *
 * A file has its name from the beginning, and is a blob once it and its folder are on disk. A put that fails deletes it.
 * One that is interrupted by `kill -9` or a power cut leaves an incomplete file that no row names: an orphan.
 */
import { mkdirSync } from 'node:fs';
import { link, mkdir, readdir, readFile, stat, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { isBlobName, MARK_FILE, type MarkedBlobs } from './blobs.ts';
import { createFile, syncFolder, writeNew } from './file-writing.ts';

const FAN_OUT_LENGTH = 2;

/**
 * @param folder created if missing, with its parents.
 * @param durable whether a blob is on disk before it gets its name; only tests turn this off.
 */
export function openFilesystemBlobs(folder: string, durable = true): MarkedBlobs {
  mkdirSync(folder, { mode: 0o700, recursive: true });
  const known = new Set<string>();
  /**
   * The blobs that are being written. They are never orphans, even if their age is wrong because a clock was set
   * forward.
   */
  const beingWritten = new Set<string>();

  const markFile = join(folder, MARK_FILE);
  const folderOf = (name: string) => join(folder, name.slice(0, FAN_OUT_LENGTH));
  const fileOf = (name: string) => join(folderOf(name), name);

  async function makeFolder(path: string): Promise<void> {
    // Avoids `recursive`, which would report a failing disk as a missing folder.
    await mkdir(path, { mode: 0o700 }).catch(ifCode('EEXIST', undefined));
    if (durable) await syncFolder(folder);
    known.add(path);
  }

  async function createBlobFile(name: string): Promise<number> {
    const path = folderOf(name);
    if (!known.has(path)) await makeFolder(path);
    return createFile(fileOf(name));
  }

  /** Every file in the subfolders, with the time at which it was last written. */
  async function* files(): AsyncGenerator<{ path: string; name: string; writtenAt: number }> {
    for (const prefix of await readdir(folder)) {
      if (prefix.length !== FAN_OUT_LENGTH) continue;
      for (const name of await readdir(join(folder, prefix))) {
        const path = join(folder, prefix, name);
        const writtenAt = await stat(path).then(({ mtimeMs }) => mtimeMs, ifAbsent(Infinity));
        yield { path, name, writtenAt };
      }
    }
  }

  return {
    async put(name, parts) {
      const file = fileOf(name);
      beingWritten.add(file);
      try {
        await writeNew({ path: file, created: createBlobFile(name) }, parts, durable);
      } catch (error) {
        await unlink(file).catch(() => undefined);
        throw error;
      } finally {
        beingWritten.delete(file);
      }
    },

    async get(name) {
      return isBlobName(name) ? readFile(fileOf(name)).catch(ifAbsent(null)) : null;
    },

    async delete(name) {
      if (!isBlobName(name)) return;
      const isGone = await unlink(fileOf(name)).then(() => true, ifAbsent(false));
      if (isGone && durable) await syncFolder(folderOf(name));
    },

    async *list(writtenBefore) {
      for await (const { path, name, writtenAt } of files()) {
        if (isBlobName(name) && writtenAt < writtenBefore && !beingWritten.has(path)) yield name;
      }
    },

    readMark: () => readFile(markFile, 'utf8').then((text) => text.trim(), ifAbsent(null)),

    async writeMark(mark) {
      const temporary = `${markFile}-${mark}.new`;
      await writeNew(
        { path: temporary, created: createFile(temporary) },
        [Buffer.from(`${mark}\n`)],
        durable,
      );
      // Unlike a rename, a link replaces nothing.
      await link(temporary, markFile).catch(ifCode('EEXIST', undefined));
      await unlink(temporary);
      if (durable) await syncFolder(folder);
      return (await readFile(markFile, 'utf8')).trim();
    },

    async check() {
      const probe = join(folder, '.probe');
      await writeNew({ path: probe, created: createFile(probe) }, [Buffer.of(1)], durable);
      await unlink(probe);
    },
  };
}

/** For `catch`: returns the result when the file does not exist, and rethrows any other error. */
function ifAbsent<Result>(result: Result): (error: unknown) => Result {
  return ifCode('ENOENT', result);
}

function ifCode<Result>(code: string, result: Result): (error: unknown) => Result {
  return (error) => {
    if ((error as { code?: unknown }).code === code) return result;
    throw error;
  };
}
