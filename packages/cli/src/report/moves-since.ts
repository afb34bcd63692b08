/** What git reports about the files and lines of a repository since its earlier reports. */
import type { MatchOptions } from '@svc/report';
import type { Environment } from '../environment.ts';
import { findReport } from '../store/reports.ts';
import type { Store } from '../store/store.ts';
import { reportsThatCount } from './earlier.ts';
import { movedLines } from './moved-lines.ts';

/** The moves, by the commit of an earlier report. Commits that git does not know are missing. */
export type MovesSince = ReadonlyMap<string, MatchOptions>;

export async function movesSince(
  store: Store,
  localReportId: string,
  environment: Environment,
): Promise<MovesSince> {
  const moves = new Map<string, MatchOptions>();
  const report = findReport(store, localReportId);
  const now = report?.scan.commit;
  if (report === undefined || now === undefined) return moves;
  for (const { scan } of reportsThatCount(store, localReportId)) {
    const before = scan.commit;
    if (before === undefined || moves.has(before)) continue;
    const moved = await movedLines({ folder: report.repositoryRoot, before, now, environment });
    if (moved) moves.set(before, moved);
  }
  return moves;
}
