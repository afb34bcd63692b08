// What a bundle was made from, as prepare.mjs compares it with the disk to tell whether the bundle is still current.
import * as fs from 'node:fs';
import path from 'node:path';

export const root = path.join(import.meta.dirname, '..');

/**
 * Leaves a list of path, time of change and size of each input. Packages are covered by the lock file.
 * @param inputs paths from the root of the project; those of packages and what is no file are left out.
 * @param alsoInputs what is no source but decides what the bundle contains.
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
    // A file saved while the build ran may have been read before that: a time that never matches makes it stale.
    return [file, mtimeMs >= startedMs ? -1 : mtimeMs, size];
  });
  fs.writeFileSync(path.join(outputFolder, '.inputs.json'), JSON.stringify(entries));
}
