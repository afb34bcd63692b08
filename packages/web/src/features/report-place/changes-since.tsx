/** What changed since the previous report: beside the verdict, with a link to the comparison. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { query } from '../../lib/api.ts';
import { shortDay } from '../../lib/format.ts';
import { reportBefore, useProjectReports } from './project-reports.ts';

export interface ChangesSinceProps {
  readonly reportId: string;
  readonly projectId: string;
}

/** Empty for the first report of a project, and until both reports are compared. */
export function ChangesSince({ reportId, projectId }: ChangesSinceProps) {
  const before = reportBefore(useProjectReports(projectId), reportId);
  const { data } = useQuery({
    ...query('compareReports', { params: { id: reportId }, query: { with: before?.reportId ?? '' } }),
    enabled: before !== undefined,
    throwOnError: false,
  });
  if (!before || !data) return null;
  return (
    <Link
      to="/projects/$id"
      params={{ id: projectId }}
      search={{ tab: 'compare', report: reportId, base: before.reportId }}
      className="rounded nums hover:text-text hover:underline"
    >
      {data.new.length.toLocaleString('en')} new, {data.fixed.length.toLocaleString('en')} fixed since{' '}
      {shortDay(new Date(before.createdAt))}
    </Link>
  );
}
