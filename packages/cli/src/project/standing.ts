/**
 * Whether a binding belongs to the repository that contains it. A copy of `.svc.json` in another repository would send
 * the reports of that repository to a foreign project; the remote distinguishes the two repositories.
 */
import type { Invocation } from '../command.ts';
import type { Environment } from '../environment.ts';
import { CliError } from '../errors.ts';
import { spelledOutRemoteOf } from '../programs/git.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { BINDING_FILE, bindingOf, writeRemoteDigest, type Binding } from './binding.ts';
import { remoteDigest } from './remote.ts';

export const FOREIGN_BINDING = `${BINDING_FILE} was created for another remote.`;
export const FOREIGN_HINT =
  'If it is the same project: svc init --accept-binding (or SVC_ACCEPT_BINDING=1). If it is a fork: svc init --new-binding';

/** The digest of the repository's current remote; null when it has none. */
export async function presentRemoteDigest(root: string, environment: Environment): Promise<string | null> {
  return remoteDigest(await spelledOutRemoteOf(root, environment), root);
}

/** A binding without a digest, or a repository without a remote, counts as matching. */
export async function isForeign(binding: Binding, environment: Environment): Promise<boolean> {
  if (binding.remoteDigest === null || environment['SVC_ACCEPT_BINDING'] === '1') return false;
  const present = await presentRemoteDigest(binding.repositoryRoot, environment);
  return present !== null && present !== binding.remoteDigest;
}

/** The binding of a folder; null if there is none, or if it is foreign. */
export async function ownBindingOf(folder: string, environment: Environment): Promise<Binding | null> {
  const binding = await bindingOf(folder);
  return binding !== null && (await isForeign(binding, environment)) ? null : binding;
}

/** Whether a folder contains a foreign binding that nobody has accepted. */
export async function hasForeignBinding(folder: string, environment: Environment): Promise<boolean> {
  const binding = await bindingOf(folder);
  return binding !== null && (await isForeign(binding, environment));
}

/**
 * Asks whether to use a foreign binding; `--accept-binding` means yes. A yes is stored in `.svc.json`.
 *
 * @returns false when the binding stays foreign.
 */
export async function settleBinding(
  { options, environment }: Pick<Invocation, 'options' | 'environment'>,
  folder: string,
  terminal: Terminal,
): Promise<boolean> {
  const binding = await bindingOf(folder);
  if (binding === null || !(await isForeign(binding, environment))) return true;
  const isAccepted =
    options['acceptBinding'] === true ||
    (terminal.isInteractive &&
      (await terminal.ask.confirm(`${FOREIGN_BINDING} Is it the same project?`, false)));
  if (!isAccepted) return false;
  const present = await presentRemoteDigest(binding.repositoryRoot, environment);
  if (present !== null) await recordRemote(binding, present);
  terminal.note(`${BINDING_FILE} now names the remote of this repository. Commit it.`);
  return true;
}

async function recordRemote(binding: Binding, present: string): Promise<void> {
  try {
    await writeRemoteDigest(binding, present);
  } catch (cause) {
    if (cause instanceof CliError) throw cause;
    const { code = 'unknown' } = cause as NodeJS.ErrnoException;
    throw new CliError('failed', `${BINDING_FILE} cannot be written (${code}).`, {
      hint: 'To accept the binding without changing the file: SVC_ACCEPT_BINDING=1',
      cause,
    });
  }
}
