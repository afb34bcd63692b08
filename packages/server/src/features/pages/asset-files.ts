/**
 * The files that pages load, from the build. They are listed at the start, so no request names a path. Their bytes stay
 * on disk, where the system caches them.
 */
import * as fs from 'node:fs';
import path from 'node:path';
import { AppError } from '#app-error';
import { codings, type Coding, type Prepared } from '#prepared';

const endings: Readonly<Record<Exclude<Coding, 'identity'>, string>> = { br: '.br', gzip: '.gz' };
const contentTypes: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.woff2': 'font/woff2',
};

export type AssetFiles = ReadonlyMap<string, Prepared>;

/** The files by name, each with its compressed variants. */
export function readAssetFiles(folder: string): AssetFiles {
  const names = new Set(fs.readdirSync(folder));
  const isCoded = (name: string) =>
    Object.values(endings).some(
      (ending) => name.endsWith(ending) && names.has(name.slice(0, -ending.length)),
    );
  const files = [...names].filter((name) => !isCoded(name));
  return new Map(files.map((name) => [name, preparedFile(folder, name, names)]));
}

function preparedFile(folder: string, name: string, names: ReadonlySet<string>): Prepared {
  const endingOf = (coding: Coding) => (coding === 'identity' ? '' : endings[coding]);
  return {
    contentType: contentTypes[path.extname(name)] ?? 'application/octet-stream',
    // The name contains a digest of the content.
    isImmutable: true,
    codings: codings.filter((coding) => names.has(name + endingOf(coding))),
    bytesIn: (coding) => bytesOf(path.join(folder, name + endingOf(coding))),
  };
}

async function bytesOf(file: string): Promise<Uint8Array> {
  try {
    return await fs.promises.readFile(file);
  } catch (error) {
    // Another build has replaced the file since the start.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') throw new AppError('NOT_FOUND', { cause: error });
    throw error;
  }
}
