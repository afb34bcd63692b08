/**
 * Of what a scanner found, what lies in the repository. Some scanners also walk through ignored folders, where installed
 * packages and the developer's own settings are, and settings of the repository can send some of them elsewhere.
 */
import type { Arrival } from '@svc/report';
import * as fs from 'node:fs/promises';
import path from 'node:path';
import type { Inventory } from './inventory.ts';

export async function withinRepository(
  findings: readonly Arrival[],
  root: string,
  { files }: Inventory,
): Promise<{ readonly findings: readonly Arrival[]; readonly leftOut: readonly string[] }> {
  const names = new Set(files.map((file) => file.path));
  const verdicts = new Map<string, Promise<'kept' | 'ignored' | 'outside'>>();
  const kept: Arrival[] = [];
  const counts = { ignored: 0, outside: 0 };
  for (const finding of findings) {
    const { file } = finding.affected;
    const verdict = file === undefined ? 'kept' : await verdictOf(file);
    if (verdict === 'kept') kept.push(finding);
    else counts[verdict] += 1;
  }
  return {
    findings: kept,
    leftOut: [
      ...(counts.ignored > 0 ? [`${results(counts.ignored)} left out: in files that are ignored.`] : []),
      ...(counts.outside > 0 ? [`${results(counts.outside)} left out: outside the repository.`] : []),
    ],
  };

  function verdictOf(file: string) {
    let verdict = verdicts.get(file);
    if (verdict === undefined) verdicts.set(file, (verdict = lookUp(file)));
    return verdict;
  }

  async function lookUp(file: string) {
    if (names.has(file)) return 'kept';
    if (/^(?:\/|[A-Za-z]:|\.\.(?:\/|$))/.test(file)) return 'outside';
    const stat = await fs.lstat(path.join(root, file)).catch(() => undefined);
    return stat?.isFile() === true ? 'ignored' : 'kept';
  }
}

function results(count: number): string {
  return count === 1 ? '1 result' : `${count} results`;
}
