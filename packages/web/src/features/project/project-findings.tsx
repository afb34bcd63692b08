/** The findings that are present in one project, with the search and the list of the workspace. */
import type { FindingSort, Project } from '@svc/contract';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { counted } from '../../lib/format.ts';
import { Button } from '../../ui/button.tsx';
import { QueryResult } from '../../ui/query-result.tsx';
import { FindingsList } from '../workspace-findings/findings-list.tsx';
import { findingsQuery } from '../workspace-findings/queries.ts';
import { SearchBar } from '../workspace-findings/search-bar.tsx';
import { parsedSearch } from '../workspace-findings/search.ts';

export interface ProjectFindingsProps {
  readonly project: Project;
  readonly search: string;
  readonly sort: FindingSort;
  readonly onChange: (changed: { readonly q?: string; readonly sort?: FindingSort }) => void;
}

export function ProjectFindings({ project, search, sort, onChange }: ProjectFindingsProps) {
  const { workspaceId, projectId } = project;
  const { filters, problems } = parsedSearch(search, [project]);
  const wanted = { workspaceId, filters: { ...filters, projectId }, sort };
  const found = useInfiniteQuery({ ...findingsQuery(wanted), placeholderData: keepPreviousData });
  const [first] = found.data?.pages ?? [];
  return (
    <>
      <SearchBar
        search={search}
        sort={sort}
        counts={first?.counts}
        problems={problems}
        onSearch={(q) => onChange({ q })}
        onSort={(changed) => onChange({ sort: changed })}
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
            {first?.total === 0 ? (
              <p>
                {search.trim() === ''
                  ? 'Nothing is present in this project.'
                  : 'No finding matches. Remove a filter or a word.'}
              </p>
            ) : null}
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
  );
}
