/** The projects of a workspace with their open findings. */
import { useSuspenseQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Project } from '@svc/contract';
import { severities } from '@svc/contract/enums';
import { query } from '../../lib/api.ts';
import { Command } from '../../ui/copy.tsx';
import { SeverityGlyph, severityLooks } from '../../ui/severity.tsx';
import { Time } from '../../ui/time.tsx';

export function Projects({ workspaceId }: { readonly workspaceId: string }) {
  const { projects } = useSuspenseQuery(query('listProjects', { query: { workspaceId } })).data;
  if (projects.length === 0) {
    return (
      <div className="flex flex-col gap-2">
        <p>No projects yet. To add a repository to this workspace, run this in its folder:</p>
        <Command command={`svc init --workspace ${workspaceId}`} />
      </div>
    );
  }
  return (
    <ul className="-my-2 divide-y divide-line">
      {projects.map((project) => (
        <li
          key={project.projectId}
          className="flex min-h-10 flex-wrap items-center justify-between gap-x-4 gap-y-1 py-2"
        >
          <Link
            to="/projects/$id"
            params={{ id: project.projectId }}
            className="font-strong text-accent-text hover:underline"
          >
            {project.name}
          </Link>
          <OpenFindings project={project} />
        </li>
      ))}
    </ul>
  );
}

function OpenFindings({ project: { openFindings, lastReportAt } }: { readonly project: Project }) {
  if (!openFindings || lastReportAt === null) return <p className="text-quiet">No report yet</p>;
  const present = severities.filter((severity) => openFindings[severity] > 0);
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
      {present.length === 0 ? (
        <span>No open findings</span>
      ) : (
        <ul aria-label="Open findings" className="flex flex-wrap gap-x-3">
          {present.map((severity) => (
            <li key={severity} className="flex items-center gap-1">
              <SeverityGlyph severity={severity} />
              <span className="nums">{openFindings[severity].toLocaleString('en')}</span>
              <span className="sr-only">{severityLooks[severity].word.toLowerCase()}</span>
            </li>
          ))}
        </ul>
      )}
      <span className="text-quiet">
        <Time at={lastReportAt} />
      </span>
    </div>
  );
}
