/** The project of a folder. It is looked up once and then remembered, so that a scan needs no network for it. */
import path from 'node:path';
import type { Connection } from '../connection/connect.ts';
import { fileNameOf, originOf } from '../connection/origin.ts';
import type { Environment } from '../environment.ts';
import { foldersOf } from '../folders.ts';
import { readJsonIfThere, writeJson } from '../json-file.ts';
import { bindingOf, type Binding } from './binding.ts';
import { isForeign } from './standing.ts';

export interface BoundProject extends Binding {
  readonly workspaceId: string;
  readonly projectId: string;
  readonly name: string;
}

type RememberedProject = Pick<BoundProject, 'workspaceId' | 'projectId' | 'name'>;

/**
 * The project to which the folder of an invocation is bound.
 * @param connection used when this machine does not know the project yet; null to ask no service.
 * @returns null without a binding (`svc init`), for a binding that was created for another remote (standing.ts), and
 * when no project of the account has the binding.
 * @throws CliError when the binding's file is damaged or the service fails.
 */
export async function projectOf(
  { environment, folder }: { readonly environment: Environment; readonly folder: string },
  connection: Connection | null = null,
): Promise<BoundProject | null> {
  const binding = await bindingOf(folder);
  if (!binding || (await isForeign(binding, environment))) return null;
  const { config } = foldersOf(environment);
  const origin = connection?.origin ?? (await originOf(environment, config));
  const known = await remembered(config, origin, binding.bindingPublicId);
  if (known) return { ...binding, ...known };
  if (!connection) return null;
  const { projects } = (await connection.call('listProjects')).body;
  const found = projects.find(({ bindingPublicId }) => bindingPublicId === binding.bindingPublicId);
  if (!found) return null;
  const project = {
    ...binding,
    workspaceId: found.workspaceId,
    projectId: found.projectId,
    name: found.name,
  };
  await rememberProject(environment, origin, project);
  return project;
}

export async function rememberProject(
  environment: Environment,
  origin: string,
  { bindingPublicId, workspaceId, projectId, name }: Omit<BoundProject, 'repositoryRoot' | 'remoteDigest'>,
): Promise<void> {
  const file = fileOf(foldersOf(environment).config, origin, bindingPublicId);
  await writeJson(file, { workspaceId, projectId, name } satisfies RememberedProject);
}

async function remembered(
  config: string,
  origin: string,
  bindingPublicId: string,
): Promise<RememberedProject | null> {
  const found = await readJsonIfThere<RememberedProject>(fileOf(config, origin, bindingPublicId));
  const { workspaceId, projectId, name } = found ?? {};
  const isWhole = [workspaceId, projectId, name].every((value) => typeof value === 'string');
  return isWhole ? ({ workspaceId, projectId, name } as RememberedProject) : null;
}

function fileOf(config: string, origin: string, bindingPublicId: string): string {
  return path.join(config, 'projects', fileNameOf(origin), `${bindingPublicId}.json`);
}
