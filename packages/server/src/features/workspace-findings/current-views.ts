/** Reads views so that nothing is shown of a report that has ended. */
import { AppError } from '#app-error';
import type { Clock } from '#platform/clock';
import type { Db } from '#platform/database/database';
import type { ProjectView } from './project-view.ts';
import { countReadable, type ListedProject } from './store.ts';
import type { Views } from './views.ts';

/** A report can end between building a view and reading it. */
const TRIES = 3;

export interface CurrentViewsPorts {
  readonly db: Db;
  readonly clock: Clock;
  readonly views: Views;
}

/**
 * @param read returns as `shown` what the caller will return of reports.
 * @throws AppError REPORT_EXPIRED when reports end in each of several tries.
 */
export async function readCurrent<
  Result extends { readonly shown: readonly { readonly reportId: string }[] },
>(
  { db, clock, views }: CurrentViewsPorts,
  projects: readonly ListedProject[],
  read: (of: readonly ProjectView[]) => Result,
): Promise<Result> {
  async function readOnce(): Promise<Result> {
    const result = read(await views.of(projects));
    const reportIds = [...new Set(result.shown.map(({ reportId }) => reportId))];
    // The bus only hints and a view may be older than the end of its report, so the rows decide.
    if (reportIds.length > 0 && (await countReadable(db, reportIds, clock.now())) < reportIds.length) {
      for (const { id } of projects) views.forget(id);
      throw new AppError('REPORT_EXPIRED');
    }
    return result;
  }
  for (let left = TRIES; ; left -= 1) {
    try {
      return await readOnce();
    } catch (error) {
      if (left === 1 || !(error instanceof AppError) || error.code !== 'REPORT_EXPIRED') throw error;
    }
  }
}
