/** What a report changed in its project, and what is open there now: beside the verdict on the report itself. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { SeverityCounts } from '@svc/contract';
import { query } from '../../lib/api.ts';
import { SkeletonLine } from '../../ui/skeleton.tsx';
import { Day } from '../../ui/time.tsx';
import { totalOf } from '../trends/shapes.ts';
import { reportBefore, useProjectReports } from './project-reports.ts';

export interface ChangesSinceProps {
  readonly reportId: string;
  readonly projectId: string;
  /** The findings of the report that are open; null while unknown. */
  readonly open: SeverityCounts | null;
}

/** The counts are those of the project: a finding counts as fixed only if this report looked for it. */
export function ChangesSince({ reportId, projectId, open }: ChangesSinceProps) {
  const before = reportBefore(useProjectReports(projectId), reportId);
  const { data, isPending } = useQuery({
    ...query('getReportChanges', { params: { id: reportId } }),
    throwOnError: false,
  });
  // The first report of a project shows nothing in most cases.
  if (isPending && before !== undefined) return <SkeletonLine className="h-6 w-64 max-w-full" />;
  if (!data) return null;
  const { opened, fixed, openInProject } = data;
  const total = openInProject === null ? null : totalOf(openInProject);
  return (
    <>
      {before === undefined || opened === null || fixed === null ? null : (
        <Link
          to="/projects/$id"
          params={{ id: projectId }}
          search={{ tab: 'compare', report: reportId, base: before.reportId }}
          className="rounded nums hover:text-text hover:underline"
        >
          {opened.toLocaleString('en')} new, {fixed.toLocaleString('en')} fixed since{' '}
          <Day at={before.createdAt} />
        </Link>
      )}
      {total === null || open === null || total === totalOf(open) ? null : (
        <Link
          to="/projects/$id"
          params={{ id: projectId }}
          className="rounded nums before:mr-2 before:content-['·'] first:before:hidden hover:text-text hover:underline"
        >
          {total.toLocaleString('en')} open in the project
        </Link>
      )}
    </>
  );
}
