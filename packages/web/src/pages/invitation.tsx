/** An invitation to a workspace, which the user accepts. */
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { SignInHere } from '../features/auth/sign-in-here.tsx';
import { useUser } from '../features/auth/session.ts';
import { JoinWorkspace } from '../features/workspaces/join-workspace.tsx';
import { isApiError, query } from '../lib/api.ts';
import { Page } from '../ui/page.tsx';
import { Waiting } from '../ui/waiting.tsx';

export function InvitationPage() {
  const { token } = useParams({ from: '/invitations/$token' });
  const user = useUser();
  const { data: invitation, error } = useQuery({
    ...query('getInvitation', { params: { token } }),
    enabled: user !== null,
    throwOnError: (failure) => !isApiError(failure, 'NOT_FOUND'),
  });
  if (!user) {
    return (
      <Page key="sign-in" title="Workspace invitation" width="narrow">
        <p>Sign in to view this invitation. Viewing it does not accept it.</p>
        <SignInHere />
      </Page>
    );
  }
  if (invitation === null || isApiError(error, 'NOT_FOUND')) return <NotOpen />;
  if (!invitation) return <Waiting what="the invitation" />;
  return <JoinWorkspace token={token} invitation={invitation} user={user} />;
}

/** The service does not distinguish an unknown token from a used one. */
function NotOpen() {
  return (
    <Page key="not-open" title="Invitation not available" width="narrow">
      <p>
        It was used or revoked, has expired, or the URL is wrong. Invitations work once and expire after seven
        days; ask the sender for a new one.
      </p>
      <p>
        <a href="/" className="text-accent-text underline underline-offset-2">
          Go to your reports
        </a>
      </p>
    </Page>
  );
}
