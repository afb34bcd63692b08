/** The data that an account's first page and its project pages show before they send a request. */
import type { ListedReport, Project, Workspace } from '@svc/contract';
import type { SessionPrincipal } from '#principal';
import type { FirstAnswer } from './document.ts';

export interface OverviewPorts {
  readonly listReports: (viewer: SessionPrincipal) => Promise<readonly ListedReport[]>;
  readonly listWorkspaces: (userId: string) => Promise<readonly Workspace[]>;
  readonly listProjects: (userId: string) => Promise<readonly Project[]>;
}

export async function overviewAnswers(
  ports: OverviewPorts,
  viewer: SessionPrincipal,
): Promise<readonly FirstAnswer[]> {
  const [reports, workspaces, projects] = await Promise.all([
    ports.listReports(viewer),
    ports.listWorkspaces(viewer.userId),
    ports.listProjects(viewer.userId),
  ]);
  return [
    { name: 'listReports', body: { reports } },
    { name: 'listWorkspaces', body: { workspaces } },
    { name: 'listProjects', body: { projects } },
  ];
}
