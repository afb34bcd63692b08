/** How many files, connections included, a process may have open. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

/** Node takes as many as the hard limit allows, and so do the processes that it starts. */
export function openFilesMax(): number {
  const file = '/proc/self/limits';
  const limit = existsSync(file)
    ? /^Max open files\s+(\S+)/m.exec(readFileSync(file, 'utf8'))?.[1]
    : execFileSync('sh', ['-c', 'ulimit -n']).toString().trim();
  return limit === 'unlimited' ? Infinity : Number(limit);
}
