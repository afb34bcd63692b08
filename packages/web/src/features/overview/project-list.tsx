/** Projects with their open findings, trends and last scans. */
import { Link } from '@tanstack/react-router';
import type { ListedReport, Project, WorkspaceOverview } from '@svc/contract';
import { SeverityCountsLine } from '../../ui/severity-counts.tsx';
import { Time } from '../../ui/time.tsx';
import { overviewList, projectLine } from './line.ts';
import { inProjectOrder, type ProjectOrder } from './orders.ts';
import { lastScansOf } from './scans.ts';
import { SparkLine } from './spark-line.tsx';

export interface ProjectListProps {
  readonly projects: readonly Project[];
  /** The open findings by week, by the project's id; undefined while loading. */
  readonly weeks?: ReadonlyMap<string, readonly number[]> | undefined;
  /** The newest reports of these projects. */
  readonly reports?: readonly ListedReport[];
  readonly order?: ProjectOrder;
  readonly labelledBy: string;
}

/** The open findings by week, by the project's id; undefined while loading. */
export function openByWeek(overview: WorkspaceOverview | undefined): ProjectListProps['weeks'] {
  return overview && new Map(overview.projects.map((each) => [each.projectId, each.openByWeek]));
}

const noReports: readonly ListedReport[] = [];

export function ProjectList(props: ProjectListProps) {
  const { projects, weeks, reports = noReports, order = 'recent', labelledBy } = props;
  return (
    <ul aria-labelledby={labelledBy} className={overviewList}>
      {inProjectOrder(projects, order).map((project) => (
        <ProjectLine
          key={project.projectId}
          project={project}
          weeks={weeks?.get(project.projectId)}
          reports={reports.filter(({ projectId }) => projectId === project.projectId)}
        />
      ))}
    </ul>
  );
}

interface ProjectLineProps {
  readonly project: Project;
  readonly weeks: readonly number[] | undefined;
  readonly reports: readonly ListedReport[];
}

function ProjectLine({ project, weeks, reports }: ProjectLineProps) {
  const { projectId, name, openFindings, lastReportAt } = project;
  const scans = lastScansOf(reports);
  return (
    <li className={projectLine}>
      <Link
        to="/projects/$id"
        params={{ id: projectId }}
        className="truncate font-strong group-hover:underline after:absolute after:inset-0"
      >
        {name}
      </Link>
      <span className="max-md:col-span-2 max-md:row-start-2">
        {openFindings === null ? (
          <span className="text-quiet">No report yet</span>
        ) : (
          <SeverityCountsLine counts={openFindings} none="No open findings" />
        )}
      </span>
      <span className="max-lg:hidden">
        {weeks && openFindings !== null ? <SparkLine values={weeks} /> : <span className="block h-6" />}
      </span>
      <span className="relative flex min-w-0 flex-col text-right text-small text-quiet">
        {scans.length > 0 ? (
          scans.slice(0, SCANS_SHOWN).map(({ name: agent, report }) => (
            <span key={agent ?? ''} className="truncate">
              <span className="max-lg:hidden">{agent} </span>
              <Time at={report.finalizedAt ?? report.createdAt} />
            </span>
          ))
        ) : lastReportAt === null ? null : (
          <Time at={lastReportAt} />
        )}
      </span>
    </li>
  );
}

const SCANS_SHOWN = 3;
