// Records what a bundle was made from. prepare.mjs compares that with the disk to decide whether the bundle is current.
import * as fs from 'node:fs';
import path from 'node:path';

export const root = path.join(import.meta.dirname, '..');

/**
 * Writes a list of path, time of change and size of each input. Packages are covered by the lock file.
 * @param inputs paths from the root of the project; paths in packages and paths that are not files are left out.
 * @param alsoInputs files that are not sources but decide what the bundle contains.
 */
export function writeStamp(
  outputFolder: string,
  inputs: readonly string[],
  alsoInputs: readonly string[],
  startedMs: number,
): void {
  const sources = inputs.filter(
    (file) => !file.includes('node_modules/') && fs.existsSync(path.join(root, file)),
  );
  const entries = [...new Set([...sources, ...alsoInputs])].map((file) => {
    const { mtimeMs, size } = fs.statSync(path.join(root, file));
    // A file saved during the build may have been read before that save. A time that never matches marks it as stale.
    return [file, mtimeMs >= startedMs ? -1 : mtimeMs, size];
  });
  fs.writeFileSync(path.join(outputFolder, '.inputs.json'), JSON.stringify(entries));
}
