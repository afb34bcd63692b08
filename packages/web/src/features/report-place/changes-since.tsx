/** What changed since the previous report: beside the verdict, with a link to the comparison. */
import { Link } from '@tanstack/react-router';
import { shortDay } from '../../lib/format.ts';
import { useChangesSince } from './project-reports.ts';

export interface ChangesSinceProps {
  readonly reportId: string;
  readonly projectId: string;
}

/** Empty for the first report of a project, and until both reports are compared. */
export function ChangesSince({ reportId, projectId }: ChangesSinceProps) {
  const since = useChangesSince(reportId, projectId);
  if (!since) return null;
  const { before, comparison } = since;
  return (
    <Link
      to="/projects/$id"
      params={{ id: projectId }}
      search={{ tab: 'compare', report: reportId, base: before.reportId }}
      className="rounded nums hover:text-text hover:underline"
    >
      {comparison.new.length.toLocaleString('en')} new, {comparison.fixed.length.toLocaleString('en')} fixed
      since {shortDay(new Date(before.createdAt))}
    </Link>
  );
}
