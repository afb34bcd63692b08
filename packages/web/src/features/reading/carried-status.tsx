/** Explains a status carried over from an earlier report, with a link to the previous report if it still exists. */
import { reportBefore, useProjectReports } from '../report-place/project-reports.ts';

export interface CarriedStatusProps {
  readonly reportId: string;
  readonly projectId: string;
}

export function CarriedStatus({ reportId, projectId }: CarriedStatusProps) {
  const before = reportBefore(useProjectReports(projectId), reportId)?.reportId;
  return (
    <p>
      The status was set in an earlier report.{' '}
      <a
        href={before === undefined ? `/projects/${projectId}?tab=reports` : `/reports/${before}`}
        className="text-accent-text underline"
      >
        {before === undefined ? 'View the reports of the project' : 'View the previous report'}
      </a>
    </p>
  );
}
