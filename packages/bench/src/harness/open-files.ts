/** How many files a process may have open, including connections. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

/** Node raises its limit to the hard limit, and the processes that it starts inherit that. */
export function openFilesMax(): number {
  const file = '/proc/self/limits';
  const limit = existsSync(file)
    ? /^Max open files\s+(\S+)/m.exec(readFileSync(file, 'utf8'))?.[1]
    : execFileSync('sh', ['-c', 'ulimit -n']).toString().trim();
  return limit === 'unlimited' ? Infinity : Number(limit);
}
