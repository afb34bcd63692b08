/** Someone is invited to a workspace, and joins it. */
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { SignInHere } from '../features/auth/sign-in-here.tsx';
import { useUser } from '../features/auth/session.ts';
import { JoinWorkspace } from '../features/workspaces/join-workspace.tsx';
import { isRefusal, query } from '../lib/api.ts';
import { Page } from '../ui/page.tsx';
import { Waiting } from '../ui/waiting.tsx';

export function InvitationPage() {
  const { token } = useParams({ from: '/invitations/$token' });
  const user = useUser();
  const { data: invitation, error } = useQuery({
    ...query('getInvitation', { params: { token } }),
    enabled: user !== null,
    throwOnError: (failure) => !isRefusal(failure, 'NOT_FOUND'),
  });
  if (!user) {
    return (
      <Page key="sign-in" title="You are invited to a workspace" width="narrow">
        <p>Sign in to see who invites you and to what. Looking at it does not use it up.</p>
        <SignInHere />
      </Page>
    );
  }
  if (invitation === null || isRefusal(error, 'NOT_FOUND')) return <NotOpen />;
  if (!invitation) return <Waiting what="the invitation" />;
  return <JoinWorkspace token={token} invitation={invitation} user={user} />;
}

/** The service does not tell an address that was never given from one that is used up. */
function NotOpen() {
  return (
    <Page key="not-open" title="This invitation is not open" width="narrow">
      <p>
        It was used, it has expired, or there never was one at this address. An invitation works once, within
        seven days. Ask whoever invited you for a new one.
      </p>
      <p>
        <a href="/" className="text-accent-text underline underline-offset-2">
          Go to your reports
        </a>
      </p>
    </Page>
  );
}
