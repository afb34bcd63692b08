/** One workspace: who is in it, who may come in, what it may store, and what it holds. */
import type { User, Workspace } from '@svc/contract';
import { useSuspenseQueries, useSuspenseQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { WorkspaceAudit } from '../features/audit/workspace-audit.tsx';
import { QuotaMeter } from '../features/quota/quota-meter.tsx';
import { useUser } from '../features/auth/session.ts';
import { WorkspaceLinks } from '../features/shares/workspace-links.tsx';
import { Invite } from '../features/workspaces/invite.tsx';
import { Members } from '../features/workspaces/members.tsx';
import { OpenInvitations } from '../features/workspaces/open-invitations.tsx';
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
            {isOwner ? (
              <>
                <OpenInvitations workspaceId={id} />
                <Invite workspace={workspace} />
              </>
            ) : (
              <p>Only an owner can invite people.</p>
            )}
          </Section>
        </>
      ) : (
        <Section id="members" title="Members">
          <p>A personal workspace is yours alone. To work with others, make a team workspace in Settings.</p>
        </Section>
      )}
      <Section id="links" title="Live links" note={linksNoteOf(user, workspace)}>
        <WorkspaceLinks workspaceId={id} userId={user.userId} />
      </Section>
      {isOwner ? (
        <Section id="audit" title="Audit" note="What was done here, and by whom. Only owners see it.">
          <WorkspaceAudit workspaceId={id} />
        </Section>
      ) : null}
      {isTeam ? (
        <Section id="end" title={isOwner ? 'Leave or delete' : 'Leave'}>
          <WorkspaceEnd workspace={workspace} userId={user.userId} />
        </Section>
      ) : null}
    </Page>
  );
}

/** Whose links are listed. */
function linksNoteOf({ isPlatformAdmin }: User, { kind, role }: Workspace): string {
  if (kind === 'personal') return 'The links to your reports that work now.';
  if (isPlatformAdmin) return 'Your own that work now. An administrator sees no others.';
  return role === 'owner'
    ? 'All that work now. Whoever owns a report revokes its links.'
    : 'Your own that work now. Owners see those of everybody.';
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
