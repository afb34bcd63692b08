/** The project of the service to which a local report is sent. */
import { CliError } from '../errors.ts';
import { projectOf, rememberProject } from '../project/project.ts';
import { FOREIGN_BINDING, FOREIGN_HINT, hasForeignBinding } from '../project/standing.ts';
import type { LocalReport } from '../store/local-report.ts';
import type { SyncContext } from './context.ts';

export interface SyncTarget {
  readonly workspaceId: string;
  readonly projectId: string;
}

/**
 * The target of an earlier sync of the report, else the project of its repository.
 * @throws CliError when there is no such project.
 */
export async function targetOf(context: SyncContext, report: LocalReport): Promise<SyncTarget> {
  const { workspaceId, projectId } = report.sync;
  if (workspaceId !== undefined && projectId !== undefined) return { workspaceId, projectId };
  const { environment, connection } = context;
  const project = await projectOf({ environment, folder: report.repositoryRoot }, connection);
  const { bindingPublicId } = report;
  if (project && (bindingPublicId === undefined || bindingPublicId === project.bindingPublicId))
    return project;
  if (!project && (await hasForeignBinding(report.repositoryRoot, environment)))
    throw new CliError('failed', FOREIGN_BINDING, { hint: FOREIGN_HINT });
  const found = await refreshedTarget(context, report);
  if (found !== null) return found;
  throw new CliError('failed', 'The repository of this report is not bound to a project of your account.', {
    hint: 'In the repository: svc init, then svc sync.',
  });
}

/**
 * The current project in the service, whatever this machine remembers. Null when the report has no binding, or no project
 * has that binding.
 */
export async function refreshedTarget(
  { environment, connection }: SyncContext,
  { bindingPublicId }: LocalReport,
): Promise<SyncTarget | null> {
  if (bindingPublicId === undefined) return null;
  const { projects } = (await connection.call('listProjects')).body;
  const found = projects.find((project) => project.bindingPublicId === bindingPublicId);
  if (!found) return null;
  await rememberProject(environment, connection.origin, { ...found, bindingPublicId });
  return found;
}
