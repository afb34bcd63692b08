/** The sessions of the account. The user can end all but the current one. */
import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import type { Session } from '@svc/contract';
import { useState } from 'react';
import { ask, query, queryKey } from '../../lib/api.ts';
import { counted, laterOf } from '../../lib/format.ts';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { Expiry, Time } from '../../ui/time.tsx';

/** The browser and system of a session; empty for a client that is not known. */
function clientOf({ browser, system }: Session): string {
  const known = [browser, system].filter((name) => name !== 'unknown');
  return known.length === 0 ? '' : `: ${known.join(' on ')}`;
}

export function Sessions() {
  const { sessions } = useSuspenseQuery(query('listSessions')).data;
  const queries = useQueryClient();
  const [ending, setEnding] = useState<readonly Session[]>([]);
  // The current session first, then by last use.
  const newest = sessions.toSorted(
    (a, b) => Number(b.current) - Number(a.current) || b.lastSeenAt.localeCompare(a.lastSeenAt),
  );
  const others = newest.filter(({ current }) => !current);
  async function end() {
    try {
      for (const { sessionId } of ending) await ask('revokeSession', { params: { id: sessionId } });
    } finally {
      await queries.invalidateQueries({ queryKey: queryKey('listSessions') });
    }
  }
  return (
    <>
      <ul className="-my-2 divide-y divide-line">
        {newest.map((session) => (
          <li key={session.sessionId} className="flex min-h-12 items-center justify-between gap-4 py-2">
            <div className="min-w-0">
              <p className={session.current ? 'font-strong' : ''}>
                {session.current ? 'This browser' : 'Another browser'}
                {clientOf(session)}
              </p>
              <p className="text-small text-quiet">
                Signed in <Time at={session.createdAt} />
                {session.current ? null : (
                  <>
                    , last seen <Time at={laterOf(session.lastSeenAt, session.createdAt)} />
                  </>
                )}
                , <Expiry at={session.expiresAt} />
                {session.network === 'unknown' ? null : `, network ${session.network}`}
              </p>
            </div>
            {session.current ? null : <Button onClick={() => setEnding([session])}>End session</Button>}
          </li>
        ))}
      </ul>
      {others.length > 1 ? (
        <div>
          <Button onClick={() => setEnding(others)}>End {counted(others.length, 'other session')}</Button>
        </div>
      ) : null}
      <Confirm
        isOpen={ending.length > 0}
        onClose={() => setEnding([])}
        title={ending.length > 1 ? `End ${counted(ending.length, 'session')}?` : 'End this session?'}
        action={ending.length > 1 ? 'End sessions' : 'End session'}
        onConfirm={end}
      >
        <p>The browser must sign in again. If you don’t recognize it, also change your password.</p>
      </Confirm>
    </>
  );
}
