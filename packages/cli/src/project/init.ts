/**
 * `svc init`: binds a repository to a project of a workspace. The service is called before the file is written, so that
 * a rejection leaves the repository unchanged. Run again, it finds the existing binding, and at most adds a missing
 * digest of the remote.
 */
import path from 'node:path';
import { limits } from '@svc/contract';
import type { Invocation, Run } from '../command.ts';
import { connect, type Connection } from '../connection/connect.ts';
import { rejection } from '../connection/rejection.ts';
import { CliError } from '../errors.ts';
import { requireWritable } from '../files/paths.ts';
import { remoteOf } from '../programs/git.ts';
import { safeLine } from '../terminal/safe-text.ts';
import type { Terminal } from '../terminal/terminal.ts';
import {
  BINDING_FILE,
  bindingOf,
  newBindingId,
  repositoryRootOf,
  requireBindingPlace,
  writeBinding,
  writeRemoteDigest,
  type Binding,
} from './binding.ts';
import { nameOfRepository } from './name.ts';
import { projectOf, rememberProject, type BoundProject } from './project.ts';
import { FOREIGN_BINDING, presentRemoteDigest, settleBinding } from './standing.ts';
import { chosenWorkspace, pickedWorkspace } from './workspaces.ts';

export const run: Run = async (invocation, terminal) => {
  const { options, folder, environment } = invocation;
  const connection = await connect(invocation);
  const existing = options['newBinding'] === true ? null : await settledBinding(invocation, terminal);
  const bound = existing ? await projectOf(invocation, connection) : null;
  if (existing && bound) {
    await showBound(bound, invocation, connection, terminal);
    return addRemote(existing, invocation, terminal);
  }

  const root = repositoryRootOf(folder) ?? folder;
  // Checked now, so that no project is created for a repository where the file cannot be written.
  if (existing === null) {
    requireBindingPlace(root);
    await writing(root, () => requireWritable(root));
  }
  const workspace =
    typeof options['workspace'] === 'string'
      ? await chosenWorkspace(connection, options['workspace'])
      : await pickedWorkspace(connection, terminal);
  const name = await projectName(invocation, root, terminal);
  const { project, isNewBinding, isNewProject } = await bind(connection, terminal, {
    workspaceId: workspace.workspaceId,
    name,
    root,
    bindingPublicId: existing?.bindingPublicId ?? null,
  });
  if (isNewProject) invocation.happened('project_created');
  if (isNewBinding) {
    const remoteDigest = await presentRemoteDigest(root, environment);
    await writing(root, () => writeBinding(root, { ...project, remoteDigest }));
  } else if (existing) {
    await addRemote(existing, invocation, terminal);
  }
  await rememberProject(environment, connection.origin, project);
  const { green, bold, dim } = terminal.colours;
  terminal.result({ ...shown(project), created: true, service: connection.origin }, () => [
    `${green('✓')} Bound ${project.repositoryRoot} to ${bold(safeLine(project.name))} in ${safeLine(workspace.name)}`,
    ...(isNewBinding
      ? [dim(`Commit ${BINDING_FILE}, so that every clone belongs to the same project.`)]
      : []),
  ]);
};

/** @throws CliError when the binding was created for another remote and is not accepted. */
async function settledBinding(invocation: Invocation, terminal: Terminal): Promise<Binding | null> {
  const { folder } = invocation;
  if (await settleBinding(invocation, folder, terminal)) return bindingOf(folder);
  throw new CliError('failed', FOREIGN_BINDING, {
    hint: 'If it is a fork: svc init --new-binding. If it is the same project: svc init --accept-binding',
  });
}

/** Adds the digest of the remote to the binding of a repository that had no remote before. */
async function addRemote(binding: Binding, { environment }: Invocation, terminal: Terminal): Promise<void> {
  if (binding.remoteDigest !== null) return;
  const remoteDigest = await presentRemoteDigest(binding.repositoryRoot, environment);
  if (remoteDigest === null) return;
  try {
    await writing(binding.repositoryRoot, () => writeRemoteDigest(binding, remoteDigest));
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    // The repository is bound anyway.
    return terminal.note(error.message);
  }
  terminal.note(`Added the digest of the remote to ${BINDING_FILE}. Commit it.`);
}

/** @throws CliError with the reason why the file cannot be written. */
async function writing(root: string, work: () => Promise<void>): Promise<void> {
  const file = path.join(root, BINDING_FILE);
  try {
    await work();
  } catch (cause) {
    if (cause instanceof CliError) throw cause;
    const code = cause instanceof Error && 'code' in cause ? ` (${String(cause.code)})` : '';
    throw new CliError('failed', `${file} cannot be written${code}.`, {
      hint: 'Run svc init where the folder is writable and commit the file; every clone is then bound.',
      cause,
    });
  }
}

interface Wanted {
  readonly workspaceId: string;
  readonly name: string;
  readonly root: string;
  /** Null for a new binding. */
  readonly bindingPublicId: string | null;
}

async function bind(
  connection: Connection,
  terminal: Terminal,
  { workspaceId, name, root, bindingPublicId }: Wanted,
): Promise<{ project: BoundProject; isNewBinding: boolean; isNewProject: boolean }> {
  const binding = bindingPublicId ?? newBindingId();
  const body = { workspaceId, name, bindingPublicId: binding };
  const outcome = await connection.attempt('createProject', { body });
  if (outcome.ok) {
    const { projectId } = outcome.body;
    const project = {
      bindingPublicId: binding,
      remoteDigest: null,
      workspaceId,
      projectId,
      name,
      repositoryRoot: root,
    };
    return { project, isNewBinding: bindingPublicId === null, isNewProject: outcome.body.created };
  }
  if (outcome.error.code !== 'CONFLICT' || bindingPublicId === null)
    throw rejection(outcome, connection.origin, connection.linkHint);
  const sentence = 'The binding of this repository belongs to another workspace';
  if (terminal.isInteractive) {
    const anew = await terminal.ask.confirm(`${sentence}, as in a fork. Create a new binding?`, true);
    if (anew) return bind(connection, terminal, { workspaceId, name, root, bindingPublicId: null });
  }
  throw new CliError('failed', `${sentence}.`, {
    hint: 'svc init --new-binding',
    code: outcome.error.code,
    requestId: outcome.error.requestId,
  });
}

async function projectName(
  { options, environment }: Invocation,
  root: string,
  { isInteractive, ask }: Terminal,
): Promise<string> {
  const given = options['name'];
  const tooLong = (name: string) => [...name].length > limits.projectNameLengthMax;
  if (typeof given === 'string') {
    if (given.trim() === '' || tooLong(given.trim())) {
      throw new CliError('usage', `A name has 1 to ${limits.projectNameLengthMax} characters.`);
    }
    return given.trim();
  }
  const initial = nameOfRepository(root, await remoteOf(root, environment));
  if (!isInteractive) return initial;
  const answer = await ask.text('What is the project called?', {
    initial,
    validate: (name) =>
      tooLong(name.trim()) ? `At most ${limits.projectNameLengthMax} characters.` : undefined,
  });
  return answer.trim() || initial;
}

async function showBound(
  bound: BoundProject,
  { options }: Invocation,
  connection: Connection,
  terminal: Terminal,
): Promise<void> {
  const wanted = options['workspace'];
  if (typeof wanted === 'string') {
    const { workspaceId, name } = await chosenWorkspace(connection, wanted);
    if (workspaceId !== bound.workspaceId) {
      throw new CliError('failed', `This repository is already bound, but not to ${name}.`, {
        hint: 'svc init --new-binding',
      });
    }
  }
  const value = { ...shown(bound), created: false, service: connection.origin };
  const { green, bold, dim } = terminal.colours;
  terminal.result(value, () => [
    `${green('✓')} ${bound.repositoryRoot} is bound to ${bold(safeLine(bound.name))}`,
    dim(`project ${bound.projectId}, workspace ${bound.workspaceId}`),
  ]);
}

function shown({ bindingPublicId, workspaceId, projectId, name, repositoryRoot }: BoundProject) {
  return { bindingPublicId, workspaceId, projectId, name, repositoryRoot };
}
