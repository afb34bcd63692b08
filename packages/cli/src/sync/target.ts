/** Which project of the service a local report goes to. */
import { CliError } from '../errors.ts';
import { projectOf, rememberProject } from '../project/project.ts';
import { FOREIGN_BINDING, FOREIGN_HINT, hasForeignBinding } from '../project/standing.ts';
import type { LocalReport } from '../store/local-report.ts';
import type { SyncContext } from './context.ts';

export interface Target {
  readonly workspaceId: string;
  readonly projectId: string;
}

/** Where it was to go before, else where its repository belongs. @throws CliError when that is nowhere. */
export async function targetOf(context: SyncContext, report: LocalReport): Promise<Target> {
  const { workspaceId, projectId } = report.sync;
  if (workspaceId !== undefined && projectId !== undefined) return { workspaceId, projectId };
  const { environment, connection } = context;
  if (await hasForeignBinding(report.repositoryRoot, environment)) {
    throw new CliError('failed', FOREIGN_BINDING, { hint: FOREIGN_HINT });
  }
  const project = await projectOf({ environment, folder: report.repositoryRoot }, connection);
  const { bindingPublicId } = report;
  if (project && (bindingPublicId === undefined || bindingPublicId === project.bindingPublicId))
    return project;
  const found = await refreshedTarget(context, report);
  if (found !== null) return found;
  throw new CliError('failed', 'The repository of this report is bound to no project of your account.', {
    hint: 'In the repository: svc init, then svc sync.',
  });
}

/** As the service has it now, whatever this machine remembers. Null when the report has no binding, or it is nobody's. */
export async function refreshedTarget(
  { environment, connection }: SyncContext,
  { bindingPublicId }: LocalReport,
): Promise<Target | null> {
  if (bindingPublicId === undefined) return null;
  const { projects } = (await connection.call('listProjects')).body;
  const found = projects.find((project) => project.bindingPublicId === bindingPublicId);
  if (!found) return null;
  await rememberProject(environment, connection.origin, { ...found, bindingPublicId });
  return found;
}
