/** Creates reports. */
import { randomBytes } from 'node:crypto';
import type { CreateReportBody } from '@svc/contract';
import type { SessionActor } from './actors.ts';
import { bodyOf } from './outcomes.ts';

export interface BoundProject {
  readonly workspaceId: string;
  readonly projectId: string;
}

/** A new project, by default in the owner's personal workspace. */
export async function bindProject(
  owner: Pick<SessionActor, 'api'>,
  workspaceId?: string,
  bindingPublicId = newLocalId(),
): Promise<BoundProject> {
  const [personal] = bodyOf(await owner.api.listWorkspaces()).workspaces;
  const chosen = workspaceId ?? personal?.workspaceId ?? '';
  const body = { workspaceId: chosen, name: 'repository', bindingPublicId };
  const { projectId } = bodyOf(await owner.api.createProject({ body }));
  return { workspaceId: chosen, projectId };
}

/** The request body that creates a shell, by default with a new local id. */
export function shellOf(project: BoundProject, given: Partial<CreateReportBody> = {}): CreateReportBody {
  return {
    ...project,
    localReportId: newLocalId(),
    effortRequested: 'auto',
    effortResolved: 'high',
    ...given,
  };
}

export function newLocalId(): string {
  return randomBytes(12).toString('base64url');
}
