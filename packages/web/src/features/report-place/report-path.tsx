/** The path to a report: its workspace's projects, its project, and a switcher to the project's other reports. */
import { Link } from '@tanstack/react-router';
import { exactTime } from '../../lib/format.ts';
import { Breadcrumbs } from '../../ui/breadcrumbs.tsx';
import { Disclosure } from '../../ui/disclosure.tsx';
import { SeverityCountsLine } from '../../ui/severity-counts.tsx';
import { Day } from '../../ui/time.tsx';
import { useProjectReports } from './project-reports.ts';

/** The path to the project of a report. */
export function ReportPath({ workspaceId }: { readonly workspaceId: string }) {
  return (
    <Breadcrumbs
      parents={[{ label: 'Projects', to: { to: '/workspaces/$id/projects', params: { id: workspaceId } } }]}
    />
  );
}

export interface ProjectNameProps {
  readonly projectId: string;
  readonly projectName: string;
}

/** The heading of a report, which leads to its project. */
export function ProjectName({ projectId, projectName }: ProjectNameProps) {
  return (
    <Link
      to="/projects/$id"
      params={{ id: projectId }}
      className="rounded pointer-coarse:inline-block pointer-coarse:py-2.5 hover:underline"
    >
      <bdi>{projectName}</bdi>
    </Link>
  );
}

export interface ReportSwitcherProps {
  readonly reportId: string;
  readonly projectId: string;
  readonly createdAt: string;
}

export function ReportSwitcher({ reportId, projectId, createdAt }: ReportSwitcherProps) {
  const reports = useProjectReports(projectId);
  const isNewest = reports[0]?.reportId === reportId;
  return (
    <div className="print:hidden">
      <Disclosure
        isCompact
        label={
          <>
            <span className="sr-only">Report of </span>
            <Day at={createdAt} />
            {isNewest ? <span className="font-normal text-quiet">newest</span> : null}
          </>
        }
      >
        {(close) => (
          <ul aria-label="Reports of this project">
            {reports.map((report) => (
              <li key={report.reportId}>
                <Link
                  to="/reports/$id"
                  params={{ id: report.reportId }}
                  onClick={close}
                  className={`flex flex-col gap-0.5 rounded px-2 py-1 pointer-coarse:py-2 hover:bg-hover ${report.reportId === reportId ? 'bg-chosen' : ''}`}
                >
                  <span className="font-strong">{exactTime(new Date(report.createdAt))}</span>
                  <SeverityCountsLine counts={report.openFindings ?? {}} none="No open findings" />
                </Link>
              </li>
            ))}
          </ul>
        )}
      </Disclosure>
    </div>
  );
}
