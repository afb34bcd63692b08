/** A report as its own people read it: its first screen, which came with the document, and then the whole. */
import type { OwnFirstScreen, ProjectedFinding, ReportRead } from '@svc/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { happened } from '../../lib/analytics.ts';
import { ask, isRefusal, query, queryKey } from '../../lib/api.ts';
import type { Triage } from './triage.ts';

type Answer = ReportRead | 'NOT_FOUND' | 'REPORT_EXPIRED';

export interface OwnReport {
  /** Undefined until it has come. */
  readonly answer: Answer | undefined;
  /** What came with the document, while that is not the whole. */
  readonly first: OwnFirstScreen | undefined;
  /** The whole could not be read; the first screen stays. */
  readonly isFailed: boolean;
  readonly tryAgain: () => void;
}

/** @throws to the page's boundary what leaves nothing to show. */
export function useOwnReport(reportId: string): OwnReport {
  const queries = useQueryClient();
  const came = queries.getQueryData<OwnFirstScreen>(['firstScreen', { params: { id: reportId } }]);
  const { data, isError, isFetching, refetch } = useQuery({
    ...reportQuery(reportId),
    ...(came?.first.isWhole === true ? { initialData: { ...came.read, report: came.first.report } } : {}),
    throwOnError: (_error, { state }) => state.data === undefined && came === undefined,
  });
  return {
    answer: data,
    first: came?.first.isWhole === false ? came : undefined,
    isFailed: isError && !isFetching,
    tryAgain: () => void refetch(),
  };
}

/** A final report changes by what its readers do, and is large: it is not compared with itself, nor asked for at every turn. */
function reportQuery(reportId: string) {
  return {
    ...query('getReport', { params: { id: reportId } }),
    async queryFn({ signal }: { signal: AbortSignal }): Promise<Answer> {
      try {
        return await ask('getReport', { params: { id: reportId } }, signal);
      } catch (error) {
        if (isRefusal(error, 'NOT_FOUND')) return 'NOT_FOUND';
        if (isRefusal(error, 'REPORT_EXPIRED')) return 'REPORT_EXPIRED';
        throw error;
      }
    },
    structuralSharing: false,
    refetchOnWindowFocus: false,
  } as const;
}

/** Its owner and the members of its workspace may move its findings on. */
export function useTriage(id: string, projectId: string): Triage {
  const queries = useQueryClient();
  return useMemo(
    () => ({
      report: { reportId: id, projectId },
      async move(findingId, status) {
        const { finding } = await ask('changeFindingStatus', { params: { id, findingId }, body: { status } });
        happened('finding_status_changed', { reportId: id });
        return finding;
      },
      keep(moved) {
        queries.setQueryData<ReportRead>(queryKey('getReport', { params: { id } }), (read) =>
          withFindings(read, moved),
        );
      },
    }),
    [id, projectId, queries],
  );
}

function withFindings(
  read: ReportRead | undefined,
  moved: readonly ProjectedFinding[],
): ReportRead | undefined {
  if (!read?.report?.findings) return read;
  const byId = new Map(moved.map((finding) => [finding.id, finding]));
  const findings = read.report.findings.map((finding) => byId.get(finding.id) ?? finding);
  return { ...read, report: { ...read.report, findings } };
}
