/** Says of a status that was carried over where it was decided: the report before this one, as far as it is still kept. */
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
      Its status was decided in an earlier report.{' '}
      <a
        href={before === undefined ? `/projects/${projectId}` : `/reports/${before}`}
        className="text-accent-text underline"
      >
        {before === undefined ? 'See the reports of the project' : 'See the report before this one'}
      </a>
    </p>
  );
}

/** Undefined where there is none, and until it is known. */
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
