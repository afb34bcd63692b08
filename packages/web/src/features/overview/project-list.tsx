/** Projects with the open findings of their newest report. */
import { Link } from '@tanstack/react-router';
import type { Project } from '@svc/contract';
import { SeverityCountsLine } from '../../ui/severity-counts.tsx';
import { Time } from '../../ui/time.tsx';
import { overviewLine, overviewList } from './line.ts';

export interface ProjectListProps {
  readonly projects: readonly Project[];
  /** The names by id; empty if there is only one workspace. */
  readonly workspaceNames: ReadonlyMap<string, string>;
  readonly labelledBy: string;
}

export function ProjectList({ projects, workspaceNames, labelledBy }: ProjectListProps) {
  const newestFirst = projects.toSorted((one, other) =>
    (other.lastReportAt ?? other.createdAt).localeCompare(one.lastReportAt ?? one.createdAt),
  );
  return (
    <ul aria-labelledby={labelledBy} className={overviewList}>
      {newestFirst.map(({ projectId, workspaceId, name, openFindings, lastReportAt }) => (
        <li key={projectId} className={overviewLine}>
          <span className="flex min-w-0 items-baseline gap-2">
            <Link
              to="/projects/$id"
              params={{ id: projectId }}
              className="truncate font-strong group-hover:underline after:absolute after:inset-0"
            >
              {name}
            </Link>
            <span className="truncate text-quiet">{workspaceNames.get(workspaceId)}</span>
          </span>
          <span className="col-span-2 row-start-2 md:col-span-1 md:col-start-2 md:row-start-1">
            {openFindings === null ? (
              <span className="text-quiet">No report yet</span>
            ) : (
              <SeverityCountsLine counts={openFindings} none="No open findings" />
            )}
          </span>
          <span className="relative text-right text-quiet">
            {lastReportAt === null ? '' : <Time at={lastReportAt} />}
          </span>
        </li>
      ))}
    </ul>
  );
}
