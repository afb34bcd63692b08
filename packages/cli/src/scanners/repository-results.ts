/**
 * Keeps the results of a scanner that are about files of the repository. Some scanners also walk through ignored folders
 * with installed packages and the developer's own settings, and settings of the repository can make some scanners read
 * files elsewhere.
 */
import type { Arrival } from '@svc/report';
import * as fs from 'node:fs/promises';
import path from 'node:path';
import type { Inventory } from './inventory.ts';
import { isInPart, type ScannedPart } from '../report/scanned-part.ts';

export interface RepositoryResults {
  readonly findings: readonly Arrival[];
  /** Sentences about the results that were left out. */
  readonly leftOut: readonly string[];
  /** Results with a path outside the repository, which may be the path of one of its files in a container. */
  readonly outside: number;
}

export async function withinRepository(
  findings: readonly Arrival[],
  root: string,
  { files }: Inventory,
  part?: ScannedPart,
): Promise<RepositoryResults> {
  const names = new Set(files.map((file) => file.path.normalize('NFC')));
  const verdicts = new Map<string, Promise<'kept' | 'ignored' | 'outside' | 'elsewhere'>>();
  const kept: Arrival[] = [];
  const counts = { ignored: 0, outside: 0, elsewhere: 0 };
  for (const finding of findings) {
    const { file } = finding.affected;
    const verdict = file === undefined ? 'kept' : await verdictOf(file);
    if (verdict === 'kept') kept.push(finding);
    else counts[verdict] += 1;
  }
  return {
    findings: kept,
    outside: counts.outside,
    leftOut: [
      ...(counts.ignored > 0 ? [`${results(counts.ignored)} left out: in files that are ignored.`] : []),
      ...(counts.outside > 0 ? [`${results(counts.outside)} left out: outside the repository.`] : []),
      ...(counts.elsewhere > 0
        ? [`${results(counts.elsewhere)} left out: outside ${part?.path ?? 'what was scanned'}.`]
        : []),
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
    if (!isInPart(part, file)) return 'elsewhere';
    const stat = await fs.lstat(path.join(root, file)).catch(() => undefined);
    return stat?.isFile() === true ? 'ignored' : 'kept';
  }
}

function results(count: number): string {
  return count === 1 ? '1 result' : `${count} results`;
}
