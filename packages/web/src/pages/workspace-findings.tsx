/** The findings that are present in all projects of a workspace: search, filters, order, saved views and CSV. */
import type { FindingSort, Workspace } from '@svc/contract';
import { keepPreviousData, useInfiniteQuery, useSuspenseQuery } from '@tanstack/react-query';
import { useLocation, useParams, useRouter, useSearch } from '@tanstack/react-router';
import { CsvButton } from '../features/workspace-findings/csv-button.tsx';
import { FindingsList } from '../features/workspace-findings/findings-list.tsx';
import { findingsQuery } from '../features/workspace-findings/queries.ts';
import { SearchBar } from '../features/workspace-findings/search-bar.tsx';
import { parsedSearch } from '../features/workspace-findings/search.ts';
import { ViewMenu } from '../features/workspace-findings/view-menu.tsx';
import { Trends } from '../features/trends/trends.tsx';
import { useInWorkspace } from '../features/workspaces/current.ts';
import { query } from '../lib/api.ts';
import { counted } from '../lib/format.ts';
import { Button } from '../ui/button.tsx';
import { NotFound } from '../ui/failure.tsx';
import { LinkTabs } from '../ui/link-tabs.tsx';
import { Page } from '../ui/page.tsx';
import { QueryResult } from '../ui/query-result.tsx';

const from = '/signed-in/workspaces/$id/findings';

export function WorkspaceFindingsPage() {
  const { id } = useParams({ from });
  const { workspaces } = useSuspenseQuery(query('listWorkspaces')).data;
  const workspace = workspaces.find(({ workspaceId }) => workspaceId === id);
  return workspace ? <Findings key={id} workspace={workspace} /> : <NotFound />;
}

function Findings({ workspace: { workspaceId, name } }: { readonly workspace: Workspace }) {
  const { q: search = '', sort = 'severity', view } = useSearch({ from });
  useInWorkspace(workspaceId);
  const router = useRouter();
  const { searchStr } = useLocation();
  const { projects } = useSuspenseQuery(query('listProjects', { query: { workspaceId } })).data;
  const { filters, problems } = parsedSearch(search, projects);
  const wanted = { workspaceId, filters, sort };
  const found = useInfiniteQuery({ ...findingsQuery(wanted), placeholderData: keepPreviousData });
  const [first] = found.data?.pages ?? [];
  const here = { to: '/workspaces/$id/findings', params: { id: workspaceId } } as const;
  const go = (changed: { readonly q?: string; readonly sort?: FindingSort }) =>
    void router.navigate({
      ...here,
      search: (before) => withoutDefaults({ ...before, ...changed }),
      replace: true,
      resetScroll: false,
    });
  return (
    <Page
      title={`Findings of ${name}`}
      heading="Findings"
      width="list"
      actions={
        <>
          <ViewMenu
            workspaceId={workspaceId}
            address={searchStr}
            onOpen={(address) =>
              void router.navigate({ href: `/workspaces/${workspaceId}/findings${address}` })
            }
          />
          <CsvButton wanted={wanted} total={first?.total ?? 0} />
        </>
      }
    >
      <LinkTabs
        label="Findings"
        tabs={[
          {
            label: 'List',
            isCurrent: view !== 'trends',
            to: { ...here, search: withoutDefaults({ q: search, sort }) },
          },
          { label: 'Trends', isCurrent: view === 'trends', to: { ...here, search: { view: 'trends' } } },
        ]}
      />
      {view === 'trends' ? (
        <Trends workspaceId={workspaceId} />
      ) : (
        <>
          <SearchBar
            search={search}
            sort={sort}
            counts={first?.counts}
            problems={problems}
            onSearch={(q) => go({ q })}
            onSort={(changed) => go({ sort: changed })}
          />
          <QueryResult of={found} what="the findings">
            {({ pages }) => (
              <div className="flex flex-col gap-4" aria-busy={found.isPlaceholderData}>
                <p role="status" className="text-quiet">
                  {counted(first?.total ?? 0, 'finding')}
                  {first && first.inExpiredReports > 0
                    ? ` · ${counted(first.inExpiredReports, 'finding')} in expired reports`
                    : ''}
                </p>
                {first?.total === 0 ? <NothingFound isSearch={search.trim() !== ''} /> : null}
                <FindingsList findings={pages.flatMap(({ findings }) => findings)} />
                {found.hasNextPage ? (
                  <div>
                    <Button busy={found.isFetchingNextPage} onClick={() => void found.fetchNextPage()}>
                      Show more
                    </Button>
                  </div>
                ) : null}
              </div>
            )}
          </QueryResult>
        </>
      )}
    </Page>
  );
}

function withoutDefaults({ q, sort }: { readonly q?: string; readonly sort?: FindingSort }) {
  return { ...(q ? { q } : {}), ...(sort && sort !== 'severity' ? { sort } : {}) };
}

function NothingFound({ isSearch }: { readonly isSearch: boolean }) {
  return (
    <p>
      {isSearch
        ? 'No finding matches. Remove a filter or a word.'
        : 'No findings yet. They appear here after the first scan of a project.'}
    </p>
  );
}
