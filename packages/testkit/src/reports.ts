/** What it takes to make a report. */
import { randomBytes } from 'node:crypto';
import type { CreateReportBody } from '@svc/contract';
import type { SessionActor } from './actors.ts';
import { bodyOf } from './outcomes.ts';

export interface BoundProject {
  readonly workspaceId: string;
  readonly projectId: string;
}

/** A new project, in the owner's personal workspace unless another is named. */
export async function bindProject(
  owner: Pick<SessionActor, 'api'>,
  workspaceId?: string,
): Promise<BoundProject> {
  const [personal] = bodyOf(await owner.api.listWorkspaces()).workspaces;
  const chosen = workspaceId ?? personal?.workspaceId ?? '';
  const body = { workspaceId: chosen, name: 'repository', bindingPublicId: newLocalId() };
  const { projectId } = bodyOf(await owner.api.createProject({ body }));
  return { workspaceId: chosen, projectId };
}

/** The body that makes a report's shell; a new local id each time unless one is given. */
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
