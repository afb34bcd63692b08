/** The data that the pages with lists of findings, and the permanent address of a finding, show before they send a request. */
import type { Project, WorkspaceFindings, WorkspaceFindingsQuery } from '@svc/contract';
import type { SessionPrincipal } from '#principal';
import type { FirstAnswer } from './document.ts';
import { answered, type OverviewPorts } from './overview.ts';

export interface FindingListPorts extends Pick<
  OverviewPorts,
  'listReports' | 'listWorkspaces' | 'listProjects'
> {
  /** @throws AppError NOT_FOUND for anyone who may not read the findings of the workspace. */
  readonly listFindings: (
    userId: string,
    workspaceId: string,
    query: WorkspaceFindingsQuery,
  ) => Promise<WorkspaceFindings>;
}

export interface FindingListParams {
  /** Of the workspace or the project. */
  readonly id: string;
  readonly findingKey?: string;
}

/** @param hasFindings false when the document must contain nothing of a finding. */
export type FindingListAnswers = (
  ports: FindingListPorts,
  viewer: SessionPrincipal,
  params: FindingListParams,
  hasFindings: boolean,
) => Promise<readonly FirstAnswer[]>;

/** What the pages ask for while nothing is searched. */
const unsearched = { sort: 'severity' } as const;

async function findingsAnswer(
  ports: FindingListPorts,
  { userId }: SessionPrincipal,
  workspaceId: string,
  query: WorkspaceFindingsQuery | null,
): Promise<readonly FirstAnswer[]> {
  if (query === null) return [];
  const body = ports.listFindings(userId, workspaceId, query);
  const input = { params: { id: workspaceId }, query };
  return answered([body.then((found) => ({ name: 'listWorkspaceFindings', input, body: found }))]);
}

/** The findings of a workspace. */
export const workspaceFindingsAnswers: FindingListAnswers = async (
  ports,
  viewer,
  { id: workspaceId },
  hasFindings,
) => {
  const [workspaces, projects, findings] = await Promise.all([
    ports.listWorkspaces(viewer.userId),
    ports.listProjects(viewer.userId),
    findingsAnswer(ports, viewer, workspaceId, hasFindings ? unsearched : null),
  ]);
  return [
    { name: 'listWorkspaces', body: { workspaces } },
    // The page shows "not found" to others.
    ...(workspaces.some((each) => each.workspaceId === workspaceId)
      ? [
          {
            name: 'listProjects' as const,
            input: { query: { workspaceId } },
            body: { projects: projects.filter((project) => project.workspaceId === workspaceId) },
          },
        ]
      : []),
    ...findings.map((each) => ({ ...each, isFirstPage: true })),
  ];
};

/** A project, with its reports and findings. */
export const projectAnswers: FindingListAnswers = async (ports, viewer, { id: projectId }, hasFindings) => {
  const { project, lists } = await projectIn(ports, viewer, projectId);
  if (!project) return lists;
  const [reports, findings] = await Promise.all([
    ports.listReports(viewer, { projectId }),
    findingsAnswer(ports, viewer, project.workspaceId, hasFindings ? { projectId, ...unsearched } : null),
  ]);
  return [
    ...lists,
    { name: 'listReports', input: { query: { projectId } }, body: { reports } },
    ...findings.map((each) => ({ ...each, isFirstPage: true })),
  ];
};

/** The permanent address of a finding. */
export const findingAnswers: FindingListAnswers = async (
  ports,
  viewer,
  { id: projectId, findingKey = '' },
  hasFindings,
) => {
  const { project, lists } = await projectIn(ports, viewer, projectId);
  if (!project) return lists;
  const query = hasFindings ? { projectId, findingKey } : null;
  return [...lists, ...(await findingsAnswer(ports, viewer, project.workspaceId, query))];
};

async function projectIn(
  ports: FindingListPorts,
  { userId }: SessionPrincipal,
  projectId: string,
): Promise<{ readonly project: Project | undefined; readonly lists: readonly FirstAnswer[] }> {
  const [workspaces, projects] = await Promise.all([
    ports.listWorkspaces(userId),
    ports.listProjects(userId),
  ]);
  return {
    project: projects.find((each) => each.projectId === projectId),
    lists: [
      { name: 'listWorkspaces', body: { workspaces } },
      { name: 'listProjects', body: { projects } },
    ],
  };
}
