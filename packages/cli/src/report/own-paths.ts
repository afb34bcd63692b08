/** Removes the names of this machine's folders from text that leaves the machine or that others see. */
import os from 'node:os';
import { realPathSync } from '../files/paths.ts';
import { pathCleaner, type PathCleaner } from '@svc/report/making/local-paths';

/** @param repositoryRoot absolute. @param homes absolute; the person's own when absent. */
export function ownPaths(repositoryRoot: string, homes: readonly string[] = ownHomes()): PathCleaner {
  return pathCleaner({ repositoryRoot, homes });
}

/** The home folder, by its real path and by the path that links to it. */
function ownHomes(): string[] {
  const home = os.homedir();
  try {
    return [...new Set([home, realPathSync(home)])];
  } catch {
    return [home];
  }
}
