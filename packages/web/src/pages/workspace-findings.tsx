/** The present findings of all projects of a workspace: search, filters, order, groups, decisions and CSV. */
import type { Workspace } from '@svc/contract';
import { useSuspenseQuery } from '@tanstack/react-query';
import { useLocation, useParams, useRouter, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import {
  findingsSearchIn,
  type ChangeSearch,
  type FindingsSearch,
} from '../features/workspace-findings/address.ts';
import { CsvButton } from '../features/workspace-findings/csv-button.tsx';
import { FoundFindings } from '../features/workspace-findings/found-findings.tsx';
import { NewFindings } from '../features/workspace-findings/new-findings.tsx';
import { SearchBar } from '../features/workspace-findings/search-bar.tsx';
import { parsedSearch } from '../features/workspace-findings/search.ts';
import { useFound } from '../features/workspace-findings/use-found.ts';
import { useLastVisit } from '../features/workspace-findings/use-last-visit.ts';
import { ViewMenu } from '../features/workspace-findings/view-menu.tsx';
import { Trends } from '../features/trends/trends.tsx';
import { useInWorkspace } from '../features/workspaces/current.ts';
import { query } from '../lib/api.ts';
import { NotFound } from '../ui/failure.tsx';
import { LinkTabs } from '../ui/link-tabs.tsx';
import { Page } from '../ui/page.tsx';
import { ShortcutHelp } from '../ui/shortcuts.tsx';
import { useSettled } from '../ui/use-settled.ts';

const from = '/signed-in/workspaces/$id/findings';

export function WorkspaceFindingsPage() {
  const { id } = useParams({ from });
  const { workspaces } = useSuspenseQuery(query('listWorkspaces')).data;
  const workspace = workspaces.find(({ workspaceId }) => workspaceId === id);
  return workspace ? <Findings key={id} workspace={workspace} /> : <NotFound />;
}

function Findings({ workspace }: { readonly workspace: Workspace }) {
  const { view, ...search } = useSearch({ from });
  useInWorkspace(workspace.workspaceId);
  return view === 'trends' ? (
    <Frame workspace={workspace} current="Trends" search={search} actions={null}>
      <Trends workspaceId={workspace.workspaceId} />
    </Frame>
  ) : (
    <List workspace={workspace} />
  );
}

/** Calls wait until the search has not changed for this long. */
const TYPED_AFTER_MS = 150;

function List({ workspace }: { readonly workspace: Workspace }) {
  const { workspaceId } = workspace;
  const search = useSearch({ from });
  const { q = '', sort = 'severity', group = null } = search;
  const isOnlyNew = search.only === 'new';
  const router = useRouter();
  const { searchStr } = useLocation();
  const { projects } = useSuspenseQuery(query('listProjects', { query: { workspaceId } })).data;
  const newSince = useLastVisit(workspaceId);
  const { problems } = parsedSearch(q, projects);
  const { filters } = parsedSearch(useSettled(q, TYPED_AFTER_MS), projects);
  const wanted = {
    workspaceId,
    filters: isOnlyNew && newSince !== null ? { ...filters, firstSeenAfter: newSince } : filters,
    sort,
  };
  const found = useFound(wanted, group);
  const go: ChangeSearch = (changed) =>
    void router.navigate({
      to: '/workspaces/$id/findings',
      params: { id: workspaceId },
      search: (before) => findingsSearchIn({ ...before, ...changed }),
      replace: true,
      resetScroll: false,
    });
  return (
    <Frame
      workspace={workspace}
      current="List"
      search={search}
      actions={
        <>
          <ViewMenu
            workspaceId={workspaceId}
            address={searchStr}
            onOpen={(address) =>
              void router.navigate({ href: `/workspaces/${workspaceId}/findings${address}` })
            }
          />
          <CsvButton wanted={wanted} total={found.first?.total ?? 0} />
        </>
      }
    >
      <SearchBar search={search} counts={found.first?.counts} problems={problems} onChange={go} />
      <FoundFindings
        wanted={wanted}
        found={found}
        grouping={group}
        newSince={newSince}
        nothing={
          q.trim() === '' && !isOnlyNew
            ? 'No findings yet. They appear here after the first scan of a project.'
            : 'No finding matches. Remove a filter or a word.'
        }
      >
        {newSince === null ? null : (
          <NewFindings
            workspaceId={workspaceId}
            filters={filters}
            since={newSince}
            isOn={isOnlyNew}
            onToggle={() => go({ only: isOnlyNew ? undefined : 'new' })}
          />
        )}
      </FoundFindings>
      <ShortcutHelp />
    </Frame>
  );
}

interface FrameProps {
  readonly workspace: Workspace;
  readonly current: 'List' | 'Trends';
  readonly search: FindingsSearch;
  readonly actions: ReactNode;
  readonly children: ReactNode;
}

function Frame({ workspace: { workspaceId, name }, current, search, actions, children }: FrameProps) {
  const here = { to: '/workspaces/$id/findings', params: { id: workspaceId } } as const;
  return (
    <Page title={`Findings of ${name}`} heading="Findings" width="list" actions={actions}>
      <LinkTabs
        label="Findings"
        tabs={[
          { label: 'List', isCurrent: current === 'List', to: { ...here, search: { ...search } } },
          {
            label: 'Trends',
            isCurrent: current === 'Trends',
            to: { ...here, search: { ...search, view: 'trends' } },
          },
        ]}
      />
      {children}
    </Page>
  );
}
