/** Which project of the service a folder belongs to. Found once, then remembered, so that a scan needs no network for it. */
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

type Remembered = Pick<BoundProject, 'workspaceId' | 'projectId' | 'name'>;

/**
 * The project that the folder of an invocation is bound to.
 * @param connection asked when this machine does not know the project yet; null looks only at what it knows.
 * @returns null when there is no binding (`svc init`), it was made for another remote (standing.ts), or the account has no
 *   project of it.
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
  await writeJson(file, { workspaceId, projectId, name } satisfies Remembered);
}

async function remembered(
  config: string,
  origin: string,
  bindingPublicId: string,
): Promise<Remembered | null> {
  const found = await readJsonIfThere<Remembered>(fileOf(config, origin, bindingPublicId));
  const { workspaceId, projectId, name } = found ?? {};
  const isWhole = [workspaceId, projectId, name].every((value) => typeof value === 'string');
  return isWhole ? ({ workspaceId, projectId, name } as Remembered) : null;
}

function fileOf(config: string, origin: string, bindingPublicId: string): string {
  return path.join(config, 'projects', fileNameOf(origin), `${bindingPublicId}.json`);
}
