/** Projects with their open findings, trends and last scans. */
import { Link } from '@tanstack/react-router';
import type { Project, WorkspaceOverview } from '@svc/contract';
import { counted } from '../../lib/format.ts';
import { SeverityCountsLine } from '../../ui/severity-counts.tsx';
import { Time } from '../../ui/time.tsx';
import { overviewList, projectLine } from './line.ts';
import { inProjectOrder, type ProjectOrder } from './orders.ts';
import { scansByReport } from './scans.ts';
import { SparkLine } from './spark-line.tsx';

export interface ProjectListProps {
  readonly projects: readonly Project[];
  /** Undefined while loading. */
  readonly overview: WorkspaceOverview | undefined;
  readonly order?: ProjectOrder;
  readonly labelledBy: string;
}

type InOverview = WorkspaceOverview['projects'][number];

export function ProjectList(props: ProjectListProps) {
  const { projects, overview, order = 'recent', labelledBy } = props;
  const byId = new Map(overview?.projects.map((each) => [each.projectId, each]));
  return (
    <ul aria-labelledby={labelledBy} className={overviewList}>
      {inProjectOrder(projects, order).map((project) => (
        <ProjectLine key={project.projectId} project={project} inOverview={byId.get(project.projectId)} />
      ))}
    </ul>
  );
}

interface ProjectLineProps {
  readonly project: Project;
  readonly inOverview: InOverview | undefined;
}

function ProjectLine({ project, inOverview }: ProjectLineProps) {
  const { projectId, name, openFindings, lastReportAt } = project;
  return (
    <li className={projectLine}>
      <Link
        to="/projects/$id"
        params={{ id: projectId }}
        title={name}
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
        {inOverview && openFindings !== null ? (
          <SparkLine values={inOverview.openByWeek} />
        ) : (
          <span className="block h-6" />
        )}
      </span>
      <span className="relative flex min-w-0 flex-col text-right text-small text-quiet">
        <LastScans scans={inOverview?.lastScans ?? []} lastReportAt={lastReportAt} />
      </span>
    </li>
  );
}

const SCANS_SHOWN = 3;

interface LastScansProps {
  /** Newest first. */
  readonly scans: InOverview['lastScans'];
  readonly lastReportAt: string | null;
}

/** The last scan of each tool; a narrow window has only the time of the newest one. */
function LastScans({ scans, lastReportAt }: LastScansProps) {
  const of = scansByReport(scans);
  const [newest] = of;
  if (!newest) return lastReportAt === null ? null : <Time at={lastReportAt} />;
  const others = of.slice(SCANS_SHOWN).reduce((sum, { tools }) => sum + tools.length, 0);
  return (
    <>
      <span className="lg:hidden">
        <Time at={newest.finalizedAt} />
      </span>
      {of.slice(0, SCANS_SHOWN).map(({ reportId, tools, finalizedAt }) => (
        <span key={reportId} className="flex justify-end gap-1 max-lg:hidden">
          <bdi className="truncate" title={tools.join(', ')}>
            {tools.join(', ')}
          </bdi>
          <span className="shrink-0">
            <Time at={finalizedAt} />
          </span>
        </span>
      ))}
      {others > 0 ? <span className="max-lg:hidden">and {counted(others, 'more tool')}</span> : null}
    </>
  );
}
