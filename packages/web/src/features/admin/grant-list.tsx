/** The support grants, newest first, with report, reason, state and use. Active ones can be revoked. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { SupportGrant } from '@svc/contract';
import { limits } from '@svc/contract/limits';
import { useState } from 'react';
import { useUser } from '../auth/session.ts';
import { ask, query, queryKey } from '../../lib/api.ts';
import { counted } from '../../lib/format.ts';
import { QueryResult } from '../../ui/query-result.tsx';
import { Button, buttonLook } from '../../ui/button.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { CopyableId } from '../../ui/copy.tsx';
import { Time } from '../../ui/time.tsx';

export function GrantList() {
  const listed = useQuery({ ...query('listSupportGrants'), staleTime: 0, throwOnError: false });
  const queries = useQueryClient();
  const [revoking, setRevoking] = useState<SupportGrant | null>(null);
  async function revoke() {
    await ask('revokeSupportGrant', { params: { id: revoking?.grantId ?? '' } });
    await queries.invalidateQueries({ queryKey: queryKey('listSupportGrants') });
  }
  return (
    <QueryResult of={listed} what="the grants">
      {({ grants }) => (
        <>
          {grants.length === 0 ? (
            <p>No support grants yet. Without one, administrators can’t read the reports of others.</p>
          ) : (
            <ul aria-label="Support grants, newest first" className="-my-3 divide-y divide-line">
              {grants.toReversed().map((grant) => (
                <Line key={grant.grantId} grant={grant} onRevoke={() => setRevoking(grant)} />
              ))}
            </ul>
          )}
          {grants.length < limits.supportGrant.listedMax ? null : (
            <p className="text-quiet">Earlier grants are in the audit log.</p>
          )}
          <Confirm
            isOpen={revoking !== null}
            onClose={() => setRevoking(null)}
            title={`Revoke the grant for ${revoking?.reportId ?? ''}?`}
            action="Revoke grant"
            onConfirm={revoke}
          >
            <p>The grant no longer opens the report. The owner still sees past accesses.</p>
          </Confirm>
        </>
      )}
    </QueryResult>
  );
}

interface LineProps {
  readonly grant: SupportGrant;
  readonly onRevoke: () => void;
}

function Line({ grant, onRevoke }: LineProps) {
  const { reportId, reason, active, createdAt, uses, lastUsedAt, administratorId } = grant;
  const isOwn = useUser()?.userId === administratorId;
  return (
    <li className="flex flex-col gap-1 py-3">
      <div className="flex min-h-8 flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <p className="font-strong">
          <State grant={grant} />
        </p>
        {active ? (
          <div className="flex gap-2">
            {isOwn ? (
              <Link
                to="/admin/reports/$id"
                params={{ id: reportId }}
                aria-label={`Open report ${reportId}`}
                className={buttonLook('plain')}
              >
                Open report
              </Link>
            ) : null}
            <Button look="quiet" onClick={onRevoke} aria-label={`Revoke the grant for ${reportId}`}>
              Revoke
            </Button>
          </div>
        ) : null}
      </div>
      <p>
        <CopyableId id={reportId} />
      </p>
      <p dir="auto" className={`max-w-prose whitespace-pre-line ${reason === null ? 'text-quiet' : ''}`}>
        {reason ?? 'The reason was deleted with the report.'}
      </p>
      <p className="text-small text-quiet">
        Created <Time at={createdAt} />
        {' · '}
        {uses === 0 || lastUsedAt === null ? (
          'never used'
        ) : (
          <>
            {counted(uses, 'access', 'accesses')}, last <Time at={lastUsedAt} />
          </>
        )}
      </p>
    </li>
  );
}

function State({ grant: { active, revokedAt, expiresAt, reason } }: { readonly grant: SupportGrant }) {
  if (active) {
    return (
      <>
        Active, expires <Time at={expiresAt} />
      </>
    );
  }
  if (revokedAt !== null) {
    return (
      <>
        Revoked <Time at={revokedAt} />
      </>
    );
  }
  if (reason === null) return 'Ended with the report';
  return (
    <>
      Expired <Time at={expiresAt} />
    </>
  );
}
