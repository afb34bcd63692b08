/** The oldest open findings, with their titles. Trends contain no titles, so they come from the list of findings. */
import type { WorkspaceTrends } from '@svc/contract';
import { limits } from '@svc/contract/limits';
import { visibleLine } from '@svc/report/reading/visible-text';
import { useQuery } from '@tanstack/react-query';
import { query } from '../../lib/api.ts';
import { SeverityChip } from '../../ui/severity.tsx';
import { Time } from '../../ui/time.tsx';

export interface OldestProps {
  readonly workspaceId: string;
  readonly projectId: string | undefined;
  /** The trends are those of one tool. */
  readonly isOfTool: boolean;
  readonly of: WorkspaceTrends['oldestOpen'];
}

export function Oldest({ workspaceId, projectId, isOfTool, of }: OldestProps) {
  const titles = useTitles(
    workspaceId,
    projectId,
    isOfTool ? limits.findingsListedMax : limits.oldestOpenListedMax,
    of.length > 0,
  );
  return (
    <section aria-labelledby="oldest" className="card flex min-w-0 flex-col gap-1 p-4 lg:col-span-2">
      <h2 id="oldest" className="font-strong">
        Oldest open findings
      </h2>
      {of.length === 0 ? <p className="text-quiet">Nothing is open.</p> : null}
      <ol>
        {of.map(({ findingKey, projectId: ofProject, findingId, severity, firstSeenAt }) => (
          <li key={findingKey} className="flex items-center gap-3 border-t border-line py-1">
            <span className="w-[5.5rem] shrink-0">
              <SeverityChip severity={severity} />
            </span>
            <div className="flex min-w-0 grow flex-col gap-x-3 sm:flex-row">
              <a
                href={`/projects/${ofProject}/findings/${findingKey}`}
                dir="auto"
                title={titles?.get(findingKey)}
                className="line-clamp-3 min-w-0 underline underline-offset-2 sm:line-clamp-1"
              >
                {titles?.get(findingKey) ?? findingId}
              </a>
              <span className="shrink-0 text-quiet sm:ml-auto">
                <span className="sr-only">first seen </span>
                <Time at={firstSeenAt} />
              </span>
            </div>
          </li>
        ))}
      </ol>
    </section>
  );
}

/**
 * Titles by `findingKey`. The list also begins with the oldest, so its first page has all of these findings. Those of one
 * tool may be further back: a longer page has most of them, and the others are shown by their ids.
 */
function useTitles(workspaceId: string, projectId: string | undefined, limit: number, isWanted: boolean) {
  const wanted = {
    status: 'open,fix_suggested,fix_applied',
    sort: 'oldest',
    limit: String(limit),
    ...(projectId === undefined ? {} : { projectId }),
  } as const;
  const { data } = useQuery({
    ...query('listWorkspaceFindings', { params: { id: workspaceId }, query: wanted }),
    enabled: isWanted,
    throwOnError: false,
  });
  return data && new Map(data.findings.map(({ findingKey, title }) => [findingKey, visibleLine(title)]));
}
