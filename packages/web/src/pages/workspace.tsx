/** A workspace: projects, plan, members, invitations, share links and audit log. */
import { useSuspenseQueries, useSuspenseQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { WorkspaceAudit } from '../features/audit/workspace-audit.tsx';
import { SarifDrop } from '../features/drop/sarif-drop.tsx';
import { QuotaMeter } from '../features/quota/quota-meter.tsx';
import { useUser } from '../features/auth/session.ts';
import { WorkspaceLinks } from '../features/shares/workspace-links.tsx';
import { useInWorkspace } from '../features/workspaces/current.ts';
import { Invite } from '../features/workspaces/invite.tsx';
import { Members } from '../features/workspaces/members.tsx';
import { OpenInvitations } from '../features/workspaces/open-invitations.tsx';
import { Projects } from '../features/workspaces/projects.tsx';
import { SubscriptionState } from '../features/workspaces/subscription.tsx';
import { WorkspaceEnd } from '../features/workspaces/workspace-end.tsx';
import { factsOf, linksNoteOf, planLabels } from '../features/workspaces/labels.ts';
import { query } from '../lib/api.ts';
import { counted } from '../lib/format.ts';
import { NotFound } from '../ui/failure.tsx';
import { Page } from '../ui/page.tsx';
import { Section } from '../ui/section.tsx';

export function WorkspacePage() {
  const { id } = useParams({ from: '/signed-in/workspaces/$id' });
  const { workspaces } = useSuspenseQuery(query('listWorkspaces')).data;
  const user = useUser();
  const workspace = workspaces.find(({ workspaceId }) => workspaceId === id);
  useInWorkspace(workspace?.workspaceId);
  if (!workspace || !user) return <NotFound />;
  const isTeam = workspace.kind === 'team';
  const isOwner = workspace.role === 'owner';
  return (
    <Page key={id} title={workspace.name}>
      <p className="-mt-5 text-quiet">{factsOf(workspace)}</p>
      <Section id="projects" title="Projects">
        <Projects workspaceId={id} />
        <SarifDrop workspaceId={id} />
      </Section>
      <Section
        id="plan"
        title={planLabels[workspace.plan]}
        note="Counts your own reports in all your workspaces."
      >
        <Plan workspaceId={id} />
      </Section>
      {isTeam ? (
        <>
          <Section
            id="members"
            title="Members"
            note={isOwner ? undefined : 'Only owners can change roles and remove members.'}
          >
            <Members workspace={workspace} userId={user.userId} />
          </Section>
          <Section id="invitations" title="Invitations" note="Each invitation link works for one person.">
            {isOwner ? (
              <>
                <OpenInvitations workspaceId={id} />
                <Invite workspace={workspace} />
              </>
            ) : (
              <p>Only owners can invite people.</p>
            )}
          </Section>
        </>
      ) : (
        <Section id="members" title="Members">
          <p>
            Only you can use a personal workspace. To work with others, create a team workspace in Settings.
          </p>
        </Section>
      )}
      <Section id="links" title="Share links" note={linksNoteOf(user, workspace)}>
        <WorkspaceLinks workspaceId={id} userId={user.userId} />
      </Section>
      {isOwner ? (
        <Section id="audit" title="Audit log" note="Who did what in this workspace. Only owners can see it.">
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
