/** Approves or denies a device link. Shows what helps users to distinguish their own device from a stranger's. */
import { useQueryClient } from '@tanstack/react-query';
import type { DeviceLink, User } from '@svc/contract';
import { useState } from 'react';
import { OwnAccount } from '../auth/own-account.tsx';
import { setUser, useUser } from '../auth/session.ts';
import { SignInHere } from '../auth/sign-in-here.tsx';
import { ask, isApiError, queryKey } from '../../lib/api.ts';
import { Button } from '../../ui/button.tsx';
import { Facts } from '../../ui/facts.tsx';
import { messageOf } from '../../ui/failure.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Page } from '../../ui/page.tsx';
import { Time } from '../../ui/time.tsx';

export function DecideLink({ id, link }: { readonly id: string; readonly link: DeviceLink }) {
  const user = useUser();
  return (
    <Page title={`Connect “${link.deviceName}” to your account?`} width="narrow">
      <div className="flex flex-col gap-2">
        <p id="match-code-of">Your terminal must show the same code:</p>
        <p
          role="group"
          aria-labelledby="match-code-of"
          className="rounded bg-sunken p-4 text-center font-mono text-display font-strong"
        >
          {link.matchCode}
        </p>
      </div>
      <Facts
        facts={[
          ['Device', link.deviceName],
          ['System', `${link.osFamily}, ${link.arch}`],
          ['Version', `svc ${link.clientVersion}`],
          ['Requested', <Time key="asked" at={link.createdAt} />],
          ['Access', 'Can create and upload reports; can’t read or share them'],
        ]}
      />
      <Notice tone="warn">
        <p>
          Continue only if you started this in your terminal. If a website or a person sent you here, deny it.
        </p>
      </Notice>
      {user ? <Decision id={id} user={user} /> : <SignInHere />}
    </Page>
  );
}

type Choice = 'approve' | 'deny';

function Decision({ id, user }: { readonly id: string; readonly user: User }) {
  const queries = useQueryClient();
  const [choice, setChoice] = useState<Choice | null>(null);
  const [error, setError] = useState('');
  /** Another tab may have signed in another account. The page then shows that account before anything is decided. */
  async function isStillShown(): Promise<boolean> {
    const { user: present } = await ask('getSession');
    if (present.userId === user.userId) return true;
    setUser(queries, present);
    return false;
  }
  async function decide(chosen: Choice) {
    setChoice(chosen);
    setError('');
    try {
      if (chosen === 'approve')
        await ask('approveDeviceLink', { params: { id }, body: { userId: user.userId } });
      else if (await isStillShown()) await ask('denyDeviceLink', { params: { id } });
    } catch (failure) {
      const isTaken = isApiError(failure, 'CONFLICT') && (await isStillShown());
      setError(isTaken ? 'Another account has already approved this device.' : messageOf(failure));
    }
    // In any case, refetch the state of the device link.
    await queries.invalidateQueries({ queryKey: queryKey('getDeviceLink', { params: { id } }) });
    setChoice(null);
  }
  return (
    <div className="flex flex-col gap-4 border-t border-line pt-4">
      <OwnAccount user={user} />
      {error === '' ? null : (
        <Notice tone="danger">
          <p>{error}</p>
        </Notice>
      )}
      <div className="grid grid-cols-2 gap-2">
        <Button busy={choice !== null} onClick={() => void decide('deny')}>
          Deny
        </Button>
        <Button look="primary" busy={choice !== null} onClick={() => void decide('approve')}>
          Approve
        </Button>
      </div>
    </div>
  );
}
