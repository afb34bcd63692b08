/** The data that an account's first page and its list of projects show before they send a request. */
import type {
  ListedReport,
  Project,
  Quota,
  Workspace,
  WorkspaceOverview,
  WorkspaceShare,
  WorkspaceTrends,
} from '@svc/contract';
import { AppError } from '#app-error';
import type { SessionPrincipal } from '#principal';
import type { FirstAnswer } from './document.ts';

export interface OverviewPorts {
  readonly listReports: (
    viewer: SessionPrincipal,
    of?: { readonly projectId: string },
  ) => Promise<readonly ListedReport[]>;
  readonly listWorkspaces: (userId: string) => Promise<readonly Workspace[]>;
  readonly listProjects: (userId: string) => Promise<readonly Project[]>;
  readonly listWorkspaceShares: (userId: string, workspaceId: string) => Promise<readonly WorkspaceShare[]>;
  readonly getQuota: (userId: string, workspaceId: string) => Promise<Quota>;
  readonly getOverview: (userId: string, workspaceId: string) => Promise<WorkspaceOverview>;
  readonly getTrends: (
    userId: string,
    workspaceId: string,
    wanted: { readonly days: '90' },
  ) => Promise<WorkspaceTrends>;
}

/** The lists of an account. */
export async function listAnswers(
  ports: OverviewPorts,
  viewer: SessionPrincipal,
): Promise<readonly FirstAnswer[]> {
  return listedAnswers(await listsOf(ports, viewer));
}

/**
 * The lists of an account. If they have a report of its first workspace, also that workspace's overview, which the
 * first page shows by default.
 */
export async function overviewAnswers(
  ports: OverviewPorts,
  viewer: SessionPrincipal,
): Promise<readonly FirstAnswer[]> {
  const lists = await listsOf(ports, viewer);
  const [first] = lists.workspaces;
  const isShown = lists.reports.some(({ workspaceId }) => workspaceId === first?.workspaceId);
  const ofFirst = first && isShown ? await workspaceAnswers(ports, viewer, first.workspaceId) : [];
  return [...listedAnswers(lists), ...ofFirst];
}

interface Lists {
  readonly reports: readonly ListedReport[];
  readonly workspaces: readonly Workspace[];
  readonly projects: readonly Project[];
}

async function listsOf(ports: OverviewPorts, viewer: SessionPrincipal): Promise<Lists> {
  const [reports, workspaces, projects] = await Promise.all([
    ports.listReports(viewer),
    ports.listWorkspaces(viewer.userId),
    ports.listProjects(viewer.userId),
  ]);
  return { reports, workspaces, projects };
}

function listedAnswers({ reports, workspaces, projects }: Lists): readonly FirstAnswer[] {
  return [
    { name: 'listReports', body: { reports } },
    { name: 'listWorkspaces', body: { workspaces } },
    { name: 'listProjects', body: { projects } },
  ];
}

async function workspaceAnswers(
  ports: OverviewPorts,
  { userId }: SessionPrincipal,
  workspaceId: string,
): Promise<readonly FirstAnswer[]> {
  const params = { id: workspaceId };
  const days = { days: '90' } as const;
  return answered([
    ports.getQuota(userId, workspaceId).then((body) => ({
      name: 'getSyncQuota' as const,
      input: { query: { workspaceId } },
      body,
    })),
    ports.getOverview(userId, workspaceId).then((body) => ({
      name: 'getWorkspaceOverview' as const,
      input: { params },
      body,
    })),
    ports.getTrends(userId, workspaceId, days).then((body) => ({
      name: 'getWorkspaceTrends' as const,
      input: { params, query: days },
      body,
    })),
    ports.listWorkspaceShares(userId, workspaceId).then((shares) => ({
      name: 'listWorkspaceShares' as const,
      input: { params },
      body: { shares },
    })),
  ]);
}

/**
 * Leaves out what the API rejects: the page asks for it again, and shows the error.
 * @throws any other error.
 */
export async function answered(asked: readonly Promise<FirstAnswer>[]): Promise<readonly FirstAnswer[]> {
  const results = await Promise.allSettled(asked);
  for (const { reason } of results.filter((result) => result.status === 'rejected'))
    if (!(reason instanceof AppError) || reason.status >= 500) throw reason;
  return results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
}
