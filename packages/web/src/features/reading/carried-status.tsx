/** Explains a status carried over from an earlier report, with a link to the previous report if it still exists. */
import { useQuery } from '@tanstack/react-query';
import { query } from '../../lib/api.ts';

export interface CarriedStatusProps {
  readonly reportId: string;
  readonly projectId: string;
}

export function CarriedStatus({ reportId, projectId }: CarriedStatusProps) {
  const before = useReportBefore(reportId, projectId);
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

/** The id of the previous report; undefined if there is none, and while loading. */
function useReportBefore(reportId: string, projectId: string): string | undefined {
  const { data } = useQuery({
    ...query('listReports', { query: { projectId } }),
    throwOnError: false,
  });
  const final = (data?.reports ?? [])
    .flatMap((report) =>
      'access' in report && report.finalizedAt !== null
        ? { id: report.reportId, at: report.finalizedAt }
        : [],
    )
    .toSorted((one, other) => other.at.localeCompare(one.at));
  const own = final.find(({ id }) => id === reportId);
  return own && final.find(({ at }) => at < own.at)?.id;
}
