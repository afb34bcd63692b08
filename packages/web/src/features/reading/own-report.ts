/** A report for its owner and workspace members: first the screen embedded in the document, then the whole report. */
import type {
  FindingState,
  FixHistoryEntry,
  OwnFirstScreen,
  ProjectedFinding,
  ReportRead,
} from '@svc/contract';
import { CARRIED_TAG, LAPSED_TAG } from '@svc/contract/status-moves';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { recordEvent } from '../../lib/analytics.ts';
import { ask, isApiError, query, queryKey } from '../../lib/api.ts';
import type { Triage } from './triage.ts';

type ReportResult = ReportRead | 'NOT_FOUND' | 'REPORT_EXPIRED';

export interface OwnReport {
  /** Undefined while loading. */
  readonly answer: ReportResult | undefined;
  /** The embedded first screen, if it is not the whole report. */
  readonly first: OwnFirstScreen | undefined;
  /** The whole report could not be loaded; the first screen stays. */
  readonly isFailed: boolean;
  readonly tryAgain: () => void;
}

/** @throws errors to the page's error boundary if there is nothing to show. */
export function useOwnReport(reportId: string): OwnReport {
  const queries = useQueryClient();
  const came = queries.getQueryData<OwnFirstScreen>(['firstScreen', { params: { id: reportId } }]);
  const { data, isError, isFetching, refetch } = useQuery({
    ...reportQuery(reportId),
    ...(came?.first.isWhole === true
      ? { initialData: { ...came.read, decisions: [], report: came.first.report } }
      : {}),
    throwOnError: (_error, { state }) => state.data === undefined && came === undefined,
  });
  return {
    answer: data,
    first: came?.first.isWhole === false ? came : undefined,
    isFailed: isError && !isFetching,
    tryAgain: () => void refetch(),
  };
}

/** A final report is large and changes only by triage, so it is neither diffed nor refetched on focus. */
function reportQuery(reportId: string) {
  return {
    ...query('getReport', { params: { id: reportId } }),
    async queryFn({ signal }: { signal: AbortSignal }): Promise<ReportResult> {
      try {
        return await ask('getReport', { params: { id: reportId } }, signal);
      } catch (error) {
        if (isApiError(error, 'NOT_FOUND')) return 'NOT_FOUND';
        if (isApiError(error, 'REPORT_EXPIRED')) return 'REPORT_EXPIRED';
        throw error;
      }
    },
    structuralSharing: false,
    refetchOnWindowFocus: false,
  } as const;
}

/** The owner and workspace members may change the status of findings. */
export function useTriage(id: string, projectId: string): Triage {
  const queries = useQueryClient();
  return useMemo(
    () => ({
      report: { reportId: id, projectId },
      async move(findingId, status) {
        const { finding: state } = await ask('changeFindingStatus', {
          params: { id, findingId },
          body: { status },
        });
        recordEvent('finding_status_changed', { reportId: id });
        const read = queries.getQueryData<ReportRead>(queryKey('getReport', { params: { id } }));
        const finding = read?.report?.findings?.find((each) => each.id === findingId);
        if (!finding) throw new Error('The report that is shown lacks the finding.');
        return decided(finding, state);
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

/** The finding in its new state. Its texts in the history stay. */
function decided(
  { fixedAt: _, tags = [], fixHistory = [], ...finding }: ProjectedFinding,
  { status, fixedAt, fixHistory: steps = [] }: FindingState,
): ProjectedFinding {
  return {
    ...finding,
    status,
    tags: tags.filter((tag) => tag !== CARRIED_TAG && tag !== LAPSED_TAG),
    ...(fixedAt === undefined ? {} : { fixedAt }),
    ...(steps.length === 0
      ? {}
      : { fixHistory: steps.map((step) => ({ ...same(fixHistory, step), ...step })) }),
  };
}

function same(
  known: readonly FixHistoryEntry[],
  { at, action }: FixHistoryEntry,
): FixHistoryEntry | undefined {
  return known.find((entry) => entry.action === action && Date.parse(entry.at) === Date.parse(at));
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
