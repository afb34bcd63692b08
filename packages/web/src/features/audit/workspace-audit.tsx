/** The audit log of a workspace, newest first, for its owners. */
import { useInfiniteQuery } from '@tanstack/react-query';
import type { WorkspaceAuditEntry } from '@svc/contract';
import { limits } from '@svc/contract/limits';
import { ask, queryKey } from '../../lib/api.ts';
import { QueryResult } from '../../ui/query-result.tsx';
import { Button } from '../../ui/button.tsx';
import { messageOf } from '../../ui/failure.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Time } from '../../ui/time.tsx';
import { actionOf, isOfAdministration, actorWithoutAccount, timesOf } from './labels.ts';

export function WorkspaceAudit({ workspaceId }: { readonly workspaceId: string }) {
  const params = { id: workspaceId };
  const log = useInfiniteQuery({
    queryKey: queryKey('listWorkspaceAudit', { params }),
    queryFn: ({ pageParam: before, signal }) =>
      ask('listWorkspaceAudit', { params, query: before === '' ? {} : { before } }, signal),
    initialPageParam: '',
    // Each response is oldest first.
    getNextPageParam: ({ entries }) =>
      entries.length < limits.auditEntriesListedMax ? undefined : entries[0]?.entryId,
    throwOnError: false,
  });
  return (
    <QueryResult of={log} what="the audit log">
      {({ pages }) => (
        <>
          <ol aria-label="Entries, newest first" className="-my-2 divide-y divide-line">
            {pages.flatMap(({ entries }) =>
              entries.toReversed().map((entry) => <Entry key={entry.entryId} entry={entry} />),
            )}
          </ol>
          {log.isFetchNextPageError ? (
            <Notice tone="danger">
              <p>{messageOf(log.error)}</p>
            </Notice>
          ) : null}
          {log.hasNextPage ? (
            <div>
              <Button busy={log.isFetchingNextPage} onClick={() => void log.fetchNextPage()}>
                Show earlier
              </Button>
            </div>
          ) : null}
        </>
      )}
    </QueryResult>
  );
}

function Entry({ entry }: { readonly entry: WorkspaceAuditEntry }) {
  const { at, reportId, subjectId, subjectName, actorId } = entry;
  return (
    <li className="grid min-h-12 grid-cols-[minmax(0,1fr)_auto] items-baseline gap-x-4 py-2">
      <div>
        <p>
          <span className="font-strong">{actionOf(entry)}</span>
          {timesOf(entry)}
          {subjectName !== null && subjectId !== actorId ? (
            <>
              {' '}
              <bdi>{subjectName}</bdi>
            </>
          ) : null}
        </p>
        <p className="text-small text-quiet">
          by <Actor entry={entry} />
          {reportId === null ? null : (
            <>
              {' · '}
              <a href={`/reports/${reportId}`} className="underline underline-offset-2 hover:text-text">
                <code className="text-small">{reportId}</code>
              </a>
            </>
          )}
          {subjectId === null || subjectName !== null ? null : (
            <>
              {' · '}
              <code className="text-small">{subjectId}</code>
            </>
          )}
        </p>
      </div>
      <p className="text-small text-quiet">
        <Time at={at} />
      </p>
    </li>
  );
}

function Actor({ entry }: { readonly entry: WorkspaceAuditEntry }) {
  const { actorId, actorName } = entry;
  if (actorName !== null) return <bdi>{actorName}</bdi>;
  if (actorId === null) return actorWithoutAccount(entry);
  return isOfAdministration(entry) ? 'support' : <code className="text-small">{actorId}</code>;
}
