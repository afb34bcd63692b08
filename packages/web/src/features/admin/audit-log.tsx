/** The audit log of the whole service, newest first, and its head. */
import { useQuery } from '@tanstack/react-query';
import type { AdminAuditEntry, AuditHead } from '@svc/contract';
import { limits } from '@svc/contract/limits';
import { actionOf, actorWithoutAccount, timesOf } from '../audit/labels.ts';
import { query } from '../../lib/api.ts';
import { QueryResult } from '../../ui/query-result.tsx';
import { Command, CopyableId } from '../../ui/copy.tsx';
import { Section } from '../../ui/section.tsx';
import { Time } from '../../ui/time.tsx';
import { Pager } from './pager.tsx';

export function AuditLog({ before }: { readonly before?: string | undefined }) {
  const log = useQuery({
    ...query('listAdminAudit', { query: before === undefined ? {} : { before } }),
    staleTime: 0,
    throwOnError: false,
  });
  return (
    <QueryResult of={log} what="the audit log">
      {({ entries, head }) => (
        <>
          {before === undefined ? (
            <Section
              title="End of the log"
              note="Store this value where the operator of the database can’t change it."
            >
              {head === null ? <p>No entries yet.</p> : <Head head={head} />}
            </Section>
          ) : null}
          {entries.length === 0 ? null : (
            <ol aria-label="Entries, newest first" className="divide-y divide-line border-t border-line">
              {entries.toReversed().map((entry) => (
                <Entry key={entry.entryId} entry={entry} />
              ))}
            </ol>
          )}
          <Pager
            to="/admin/audit"
            search={{}}
            isNewest={before === undefined}
            oldest={entries.length < limits.auditEntriesListedMax ? undefined : entries[0]?.entryId}
          />
        </>
      )}
    </QueryResult>
  );
}

function Head({ head: { sequence, hash } }: { readonly head: AuditHead }) {
  const end = `${sequence}:${hash}`;
  return (
    <>
      <Command command={end} label="End of the log" />
      <p>
        Pass this value to the check later to detect changed or removed entries. Run the check in the folder
        of the service, with its settings and as its user:
      </p>
      <Command
        command={`node_modules/.bin/svc-server audit verify --expect ${end}`}
        label="Command to check the log"
      />
    </>
  );
}

function Entry({ entry }: { readonly entry: AdminAuditEntry }) {
  const { sequence, at, actorId, workspaceId, reportId, subjectId } = entry;
  const about = [workspaceId, reportId, subjectId === actorId ? null : subjectId].filter((id) => id !== null);
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_auto] items-baseline gap-x-4 py-2">
      <div>
        <p>
          <span className="font-strong">{actionOf(entry)}</span>
          {timesOf(entry)}{' '}
          <span className="text-quiet">
            by {actorId === null ? actorWithoutAccount(entry) : <CopyableId id={actorId} />}
          </span>
        </p>
        {about.length === 0 ? null : (
          <p className="flex flex-wrap gap-x-4">
            {about.map((id) => (
              <CopyableId key={id} id={id} />
            ))}
          </p>
        )}
      </div>
      <p className="text-right text-small text-quiet nums">
        <Time at={at} />
        <br />
        entry {sequence.toLocaleString('en')}
      </p>
    </li>
  );
}
