/** One workspace: who is in it, who may come in, what it may store, and what it holds. */
import { useSuspenseQueries, useSuspenseQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { QuotaMeter } from '../features/quota/quota-meter.tsx';
import { useUser } from '../features/auth/session.ts';
import { Invite } from '../features/workspaces/invite.tsx';
import { Members } from '../features/workspaces/members.tsx';
import { Projects } from '../features/workspaces/projects.tsx';
import { SubscriptionState } from '../features/workspaces/subscription.tsx';
import { WorkspaceEnd } from '../features/workspaces/workspace-end.tsx';
import { factsOf, planWords } from '../features/workspaces/words.ts';
import { query } from '../lib/api.ts';
import { counted } from '../lib/words.ts';
import { NotFound } from '../ui/failure.tsx';
import { Page } from '../ui/page.tsx';
import { Section } from '../ui/section.tsx';

export function WorkspacePage() {
  const { id } = useParams({ from: '/signed-in/workspaces/$id' });
  const { workspaces } = useSuspenseQuery(query('listWorkspaces')).data;
  const user = useUser();
  const workspace = workspaces.find(({ workspaceId }) => workspaceId === id);
  if (!workspace || !user) return <NotFound />;
  const isTeam = workspace.kind === 'team';
  const isOwner = workspace.role === 'owner';
  return (
    <Page key={id} title={workspace.name}>
      <p className="-mt-5 text-quiet">{factsOf(workspace)}</p>
      <Section id="projects" title="Projects">
        <Projects workspaceId={id} />
      </Section>
      <Section
        id="plan"
        title={planWords[workspace.plan]}
        note="Your own reports, counted over all your workspaces."
      >
        <Plan workspaceId={id} />
      </Section>
      {isTeam ? (
        <>
          <Section
            id="members"
            title="Members"
            note={isOwner ? undefined : 'Only owners change roles and remove members.'}
          >
            <Members workspace={workspace} userId={user.userId} />
          </Section>
          <Section id="invitations" title="Invitations" note="By a link that you give to one person.">
            {isOwner ? <Invite workspace={workspace} /> : <p>Only an owner can invite people.</p>}
          </Section>
        </>
      ) : (
        <Section id="members" title="Members">
          <p>A personal workspace is yours alone. To work with others, make a team workspace in Settings.</p>
        </Section>
      )}
      {isTeam ? (
        <Section id="end" title={isOwner ? 'Leave or delete' : 'Leave'}>
          <WorkspaceEnd workspace={workspace} userId={user.userId} />
        </Section>
      ) : null}
    </Page>
  );
}

function Plan({ workspaceId }: { readonly workspaceId: string }) {
  const input = { query: { workspaceId } };
  const [{ data: quota }, { data: billing }] = useSuspenseQueries({
    queries: [query('getSyncQuota', input), query('getBillingPlan', input)],
  });
  return (
    <>
      {billing.subscription ? <SubscriptionState subscription={billing.subscription} /> : null}
      <QuotaMeter quota={quota} />
      <p className="text-quiet">Reports are kept for {counted(quota.retentionDays, 'day')}.</p>
    </>
  );
}
