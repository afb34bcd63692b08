import type { ListedReport } from '@svc/contract';

/** The day in UTC on which a report changed the counts of its project, as in the trends: `2026-03-01`. */
export function reportDate({
  finalizedAt,
  createdAt,
}: Pick<ListedReport, 'finalizedAt' | 'createdAt'>): string {
  return (finalizedAt ?? createdAt).slice(0, 10);
}
