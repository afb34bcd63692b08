/** All workspaces of the service with owner, size and plan. Administrators change the plan here. */
import { useQuery } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import type { AdminWorkspace } from '@svc/contract';
import { limits } from '@svc/contract/limits';
import { query } from '../../lib/api.ts';
import { counted } from '../../lib/format.ts';
import { QueryResult } from '../../ui/query-result.tsx';
import { Button } from '../../ui/button.tsx';
import { CopyableId } from '../../ui/copy.tsx';
import { TextField } from '../../ui/field.tsx';
import { Form, SubmitButton, type Fields } from '../../ui/form.tsx';
import { Time } from '../../ui/time.tsx';
import { Pager } from './pager.tsx';
import { PlanChoice } from './plan-choice.tsx';

export interface WorkspaceChoice {
  /** Only workspaces of the account with this email. */
  readonly email?: string;
  /** Only workspaces created before this one. */
  readonly before?: string;
}

export function AdminWorkspaces({ email, before }: WorkspaceChoice) {
  const choice = { ...(email === undefined ? {} : { email }), ...(before === undefined ? {} : { before }) };
  const listed = useQuery({
    ...query('listAdminWorkspaces', { query: choice }),
    staleTime: 0,
    throwOnError: false,
  });
  return (
    <>
      <Search key={email} email={email} />
      <QueryResult of={listed} what="the workspaces">
        {({ workspaces }) => (
          <>
            <p role="status" className="text-quiet">
              {summaryOf(workspaces.length, email, before)}
            </p>
            <ul aria-label="Workspaces, newest first" className="divide-y divide-line">
              {workspaces.toReversed().map((workspace) => (
                <Line key={workspace.workspaceId} workspace={workspace} />
              ))}
            </ul>
            <Pager
              to="/admin/workspaces"
              search={email === undefined ? {} : { email }}
              isNewest={before === undefined}
              oldest={workspaces.length < limits.workspacesListedMax ? undefined : workspaces[0]?.workspaceId}
            />
          </>
        )}
      </QueryResult>
    </>
  );
}

function summaryOf(count: number, email: string | undefined, before: string | undefined): string {
  if (email === undefined) return count === 0 ? 'No earlier workspaces.' : counted(count, 'workspace');
  if (count > 0) return `${counted(count, 'workspace')} of ${email}`;
  return before === undefined
    ? `No account has the email ${email}, or it has no workspace.`
    : `No earlier workspaces of ${email}.`;
}

function Search({ email }: { readonly email: string | undefined }) {
  const router = useRouter();
  const go = async (wanted: string) =>
    router.navigate({ to: '/admin/workspaces', search: wanted === '' ? {} : { email: wanted } });
  return (
    <Form
      onSend={async ({ email: wanted = '' }: Fields) => go(wanted.trim())}
      label="Search workspaces"
      className="max-w-xl"
    >
      <div className="flex flex-wrap items-end gap-2">
        <TextField
          label="Account email"
          name="email"
          type="email"
          autoComplete="off"
          spellCheck={false}
          defaultValue={email}
          className="min-w-60 grow"
        />
        <div className="flex min-h-9 items-center gap-2">
          <SubmitButton look="plain">Search</SubmitButton>
          {email === undefined ? null : (
            <Button look="quiet" onClick={() => void go('')}>
              Show all
            </Button>
          )}
        </div>
      </div>
    </Form>
  );
}

function Line({ workspace }: { readonly workspace: AdminWorkspace }) {
  const { workspaceId, name, kind, ownerEmail, members, projects, reports, createdAt } = workspace;
  return (
    <li className="flex min-h-12 flex-wrap items-center justify-between gap-x-4 gap-y-2 py-2">
      <div className="min-w-0">
        <p>
          <bdi className="font-strong">{name}</bdi>{' '}
          <span className="text-quiet">{ownerEmail === null ? 'no owner' : `of ${ownerEmail}`}</span>
        </p>
        <p className="text-small text-quiet nums">
          {[
            kind === 'personal' ? 'Personal' : `Team of ${members.toLocaleString('en')}`,
            counted(projects, 'project'),
            counted(reports, 'report'),
          ].join(' · ')}
          {' · created '}
          <Time at={createdAt} />
        </p>
        <CopyableId id={workspaceId} />
      </div>
      <PlanChoice workspace={workspace} />
    </li>
  );
}
