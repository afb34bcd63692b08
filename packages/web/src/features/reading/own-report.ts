/** A report for its owner and workspace members: first the screen embedded in the document, then the whole report. */
import type { OwnFirstScreen, ProjectedFinding, ReportRead } from '@svc/contract';
import { limits } from '@svc/contract/limits';
import { isSetAside } from '@svc/contract/status-moves';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { recordEvent } from '../../lib/analytics.ts';
import { ask, isApiError, query, queryKey } from '../../lib/api.ts';
import { prepareEntries } from './entries.ts';
import { decided, type Triage } from './triage.ts';

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

/** A final report is large and changes only by triage, so it is neither diffed nor refetched on focus. */
function reportQuery(reportId: string) {
  return {
    ...query('getReport', { params: { id: reportId } }),
    async queryFn({ signal }: { signal: AbortSignal }): Promise<ReportResult> {
      try {
        const read = await ask('getReport', { params: { id: reportId } }, signal);
        await prepareEntries(read.report);
        return read;
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

/** The highest number of findings that one call decides about. */
const AT_ONCE_MAX = limits.decision.findingsMax;

/** The owner and workspace members may change the status of findings. */
export function useTriage(id: string, projectId: string, decisions: ReportRead['decisions']): Triage {
  const queries = useQueryClient();
  return useMemo(() => {
    const params = { id };
    const key = queryKey('getReport', { params });
    const keep = (changed: readonly ProjectedFinding[]) =>
      queries.setQueryData<ReportRead>(key, (read) => withFindings(read, changed));
    /** Refetches what only the service knows: the lists of decisions, and the report if its history has changed. */
    const renew = (isHistoryChanged: boolean) => {
      void queries.invalidateQueries({ queryKey: ['listDecisions'] });
      if (isHistoryChanged) void queries.invalidateQueries({ queryKey: key });
    };
    return {
      report: { reportId: id, projectId },
      decisionOn: (findingId) => decisions.find((decision) => decision.findingId === findingId),
      async decide(ids, decision) {
        const isHistoryChanged = !isSetAside(decision.status);
        const undone: (() => Promise<readonly string[]>)[] = [];
        const before: ProjectedFinding[] = [];
        for (let from = 0; from < ids.length; from += AT_ONCE_MAX) {
          const findingIds = ids.slice(from, from + AT_ONCE_MAX);
          const { changed, undoId } = await ask('changeFindings', {
            params,
            body: { findingIds, ...decision },
          });
          const shown = foundIn(queries.getQueryData<ReportRead>(key), changed);
          before.push(...shown);
          keep(shown.map((finding) => decided(finding, decision.status)));
          undone.push(async () => (await ask('undoDecisions', { params, body: { undoId } })).restored);
        }
        recordEvent('finding_status_changed', { reportId: id });
        renew(isHistoryChanged);
        const restore = async () => {
          const restored = new Set((await Promise.all(undone.map(async (undo) => undo()))).flat());
          keep(before.filter((finding) => restored.has(finding.id)));
          renew(isHistoryChanged);
          return restored.size;
        };
        return { changed: ids, undo: restore };
      },
    };
  }, [id, projectId, decisions, queries]);
}

function foundIn(read: ReportRead | undefined, ids: readonly string[]): readonly ProjectedFinding[] {
  const wanted = new Set(ids);
  return (read?.report?.findings ?? []).filter((finding) => wanted.has(finding.id));
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
