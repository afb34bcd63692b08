/** The shares of a report: active ones with their actions, and ended ones. */
import type { Share } from '@svc/contract';
import { useState } from 'react';
import { recordEvent } from '../../lib/analytics.ts';
import { ask } from '../../lib/api.ts';
import { Button } from '../../ui/button.tsx';
import { messageOf } from '../../ui/failure.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Expiry, Time, useNow } from '../../ui/time.tsx';
import { factsOf, isActive, nameOf } from './share-labels.ts';

export interface LinkListProps {
  readonly shares: readonly Share[];
  readonly onNew: () => void;
  readonly onChange: (share: Share) => void;
  readonly onRevoked: () => Promise<void>;
}

export function LinkList({ shares, onNew, onChange, onRevoked }: LinkListProps) {
  const now = useNow();
  const active = shares.filter((share) => isActive(share, now));
  const ended = shares.filter((share) => !isActive(share, now));
  return (
    <section aria-label="Share links" className="flex flex-col gap-4">
      <div>
        <Button look="primary" onClick={onNew}>
          Create share link
        </Button>
      </div>
      {active.length === 0 ? <p className="text-quiet">No active share links.</p> : null}
      <ul aria-label="Active share links" className="flex flex-col">
        {active.map((share) => (
          <li key={share.id} className="flex flex-col gap-2 border-t border-line py-3">
            <LinkFacts share={share} />
            <Actions share={share} onChange={() => onChange(share)} onRevoked={onRevoked} />
          </li>
        ))}
      </ul>
      {ended.length === 0 ? null : (
        <details>
          <summary className="text-quiet">Ended ({ended.length})</summary>
          <ul aria-label="Ended share links" className="flex flex-col">
            {ended.map((share) => (
              <li key={share.id} className="border-t border-line py-3 text-quiet">
                <LinkFacts share={share} />
              </li>
            ))}
          </ul>
        </details>
      )}
    </section>
  );
}

function LinkFacts({ share }: { readonly share: Share }) {
  const { lastViewedAt, expiresAt, revokedAt } = share;
  return (
    <div>
      <p className="font-strong">
        <bdi>{nameOf(share)}</bdi>
      </p>
      <p className="text-quiet">{factsOf(share).join(' · ')}</p>
      <p className="text-small text-quiet">
        {lastViewedAt === null ? (
          'Never opened'
        ) : (
          <>
            Last opened <Time at={lastViewedAt} />
          </>
        )}
        {' · '}
        {revokedAt === null ? (
          expiresAt === null ? (
            'expires with the report'
          ) : (
            <Expiry at={expiresAt} />
          )
        ) : (
          <>
            revoked <Time at={revokedAt} />
          </>
        )}
      </p>
    </div>
  );
}

interface ActionsProps {
  readonly share: Share;
  readonly onChange: () => void;
  readonly onRevoked: () => Promise<void>;
}

function Actions({ share, onChange, onRevoked }: ActionsProps) {
  const [isAsked, setIsAsked] = useState(false);
  const [isBusy, setIsBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  async function revoke() {
    setIsBusy(true);
    try {
      await ask('revokeShare', { params: { shareId: share.id }, query: { reportId: share.reportId } });
      recordEvent('share_revoked', { reportId: share.reportId });
      await onRevoked();
    } catch (failure) {
      setError(failure);
      setIsBusy(false);
    }
  }
  if (isAsked) {
    return (
      <div role="group" aria-label={`Revoke ${nameOf(share)}`} className="flex flex-col gap-2">
        <p>
          Revoke “<bdi>{nameOf(share)}</bdi>”? The link stops working immediately. This can’t be undone.
        </p>
        <p className="flex flex-wrap gap-2">
          <Button look="danger" busy={isBusy} onClick={() => void revoke()}>
            Revoke link
          </Button>
          <Button onClick={() => setIsAsked(false)}>Keep link</Button>
        </p>
        {error === null ? null : <Notice tone="danger">{messageOf(error)}</Notice>}
      </div>
    );
  }
  return (
    <p className="flex flex-wrap gap-2">
      <Button onClick={onChange} aria-label={`Edit ${nameOf(share)}`}>
        Edit
      </Button>
      <Button look="quiet" onClick={() => setIsAsked(true)} aria-label={`Revoke link ${nameOf(share)}`}>
        Revoke link
      </Button>
    </p>
  );
}
