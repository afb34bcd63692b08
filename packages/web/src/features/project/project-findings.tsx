/** The findings that are present in one project, with the search and the list of the workspace. */
import type { Project } from '@svc/contract';
import { useSettled } from '../../ui/use-settled.ts';
import type { ChangeSearch, FindingsSearch } from '../workspace-findings/address.ts';
import { FoundFindings } from '../workspace-findings/found-findings.tsx';
import { SearchBar } from '../workspace-findings/search-bar.tsx';
import { parsedSearch } from '../workspace-findings/search.ts';
import { useFound } from '../workspace-findings/use-found.ts';
import { useLastVisit } from '../workspace-findings/use-last-visit.ts';

/** Calls wait until the search has not changed for this long. */
const TYPED_AFTER_MS = 150;

export interface ProjectFindingsProps {
  readonly project: Project;
  readonly search: FindingsSearch;
  readonly onChange: ChangeSearch;
}

export function ProjectFindings({ project, search, onChange }: ProjectFindingsProps) {
  const { workspaceId, projectId } = project;
  const { q = '', sort = 'severity', group = null } = search;
  const newSince = useLastVisit(workspaceId);
  const { problems } = parsedSearch(q, [project]);
  const { filters } = parsedSearch(useSettled(q, TYPED_AFTER_MS), [project]);
  const wanted = { workspaceId, filters: { ...filters, projectId }, sort };
  const found = useFound(wanted, group);
  return (
    <>
      <SearchBar
        search={search}
        counts={found.first?.counts}
        problems={problems}
        isOneProject
        onChange={onChange}
      />
      <FoundFindings
        wanted={wanted}
        found={found}
        grouping={group}
        newSince={newSince}
        isOneProject
        nothing={
          q.trim() !== ''
            ? 'No finding matches. Remove a filter or a word.'
            : (found.first?.inExpiredReports ?? 0) > 0
              ? 'The reports with these findings have expired. Scan again to list what is still present.'
              : 'No findings are present in this project.'
        }
      >
        {null}
      </FoundFindings>
    </>
  );
}
