/** Real source code: the files of the installed packages. */
import { globSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';

const folder = path.join(import.meta.dirname, '../../../../node_modules');
/** Larger files are generated data. */
const FILE_BYTES_MAX = 4_000_000;

/** Reads files in the order of their names, until it has this many bytes or no files are left. */
export function sourceTexts(bytesMax: number): string[] {
  const texts: string[] = [];
  let leftBytes = bytesMax;
  const names = globSync('**/*.{js,mjs,cjs,ts,mts,json,md}', { cwd: folder, exclude: ['@svc/**'] });
  for (const name of names.toSorted()) {
    const file = path.join(folder, name);
    const facts = statSync(file);
    if (leftBytes <= 0) break;
    if (!facts.isFile() || facts.size > FILE_BYTES_MAX) continue;
    texts.push(readFileSync(file, 'utf8'));
    leftBytes -= facts.size;
  }
  return texts;
}
