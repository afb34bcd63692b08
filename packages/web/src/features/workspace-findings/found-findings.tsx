/** The result of a search: how many findings there are, and the list of them. */
import type { WorkspaceFinding } from '@svc/contract';
import type { ReactNode } from 'react';
import { counted } from '../../lib/format.ts';
import { Button } from '../../ui/button.tsx';
import { QueryResult } from '../../ui/query-result.tsx';
import type { Grouping } from './address.ts';
import { COLLECTED_MAX, type WantedFindings } from './queries.ts';
import { SelectableFindings } from './selectable-findings.tsx';
import type { Found } from './use-found.ts';

export interface FoundFindingsProps {
  readonly wanted: WantedFindings;
  readonly found: Found;
  readonly grouping: Grouping | null;
  readonly newSince: string | null;
  readonly isOneProject?: boolean;
  /** Shown when there are no findings. */
  readonly nothing: string;
  /** Shown beside the number of findings. */
  readonly children: ReactNode;
}

export function FoundFindings(props: FoundFindingsProps) {
  const { wanted, found, grouping, newSince, isOneProject = false, nothing, children } = props;
  const { first, findings, isOutdated, collected, more } = found;
  const total = first?.total ?? 0;
  return (
    <div className="flex flex-col gap-3" aria-busy={isOutdated}>
      <div className="flex min-h-8 flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <p role="status" className="text-quiet nums">
          {first === undefined ? '' : statusOf(found, grouping)}
        </p>
        {children}
      </div>
      <QueryResult<readonly WorkspaceFinding[]>
        of={{ ...found.query, data: findings }}
        what={
          collected === null
            ? 'the findings'
            : `${collected.toLocaleString('en')} of ${counted(Math.min(total, COLLECTED_MAX), 'finding')}`
        }
      >
        {(shown) => (
          <>
            {total === 0 ? <p className="card px-4 py-6">{nothing}</p> : null}
            <SelectableFindings
              wanted={wanted}
              findings={shown}
              total={total}
              grouping={grouping}
              newSince={newSince}
              isOneProject={isOneProject}
            />
            {more === null ? null : (
              <div>
                <Button busy={more.isLoading} onClick={more.load}>
                  Show more
                </Button>
              </div>
            )}
          </>
        )}
      </QueryResult>
    </div>
  );
}

function statusOf({ first, findings }: Found, grouping: Grouping | null): string {
  const { total = 0, inExpiredReports = 0 } = first ?? {};
  const parts = [counted(total, 'finding')];
  if (grouping !== null && findings !== undefined && findings.length < total)
    parts.push(`the first ${findings.length.toLocaleString('en')} are grouped`);
  if (inExpiredReports > 0) parts.push(`${counted(inExpiredReports, 'finding')} in expired reports`);
  return parts.join(' · ');
}
