/** Chooses a workspace by its id or its name, or by a prompt. */
import type { Workspace } from '@svc/contract';
import type { Connection } from '../connection/connect.ts';
import { CliError } from '../errors.ts';
import type { Terminal } from '../terminal/terminal.ts';

const ANOTHER = 'new';

/**
 * @param wanted an id, or a unique name.
 * @throws CliError when none or several match.
 */
export async function chosenWorkspace(connection: Connection, wanted: string): Promise<Workspace> {
  const { workspaces } = (await connection.call('listWorkspaces')).body;
  const byId = workspaces.find(({ workspaceId }) => workspaceId === wanted);
  if (byId) return byId;
  const [named, ...others] = workspaces.filter(({ name }) => name.toLowerCase() === wanted.toLowerCase());
  if (named && others.length === 0) return named;
  throw new CliError(
    'usage',
    named ? `Several workspaces are named ${wanted}.` : `You have no workspace ${wanted}.`,
    {
      hint: 'Name one of these: --workspace ID',
      details: workspaces.map(({ workspaceId, name }) => `${workspaceId}  ${name}`),
    },
  );
}

/**
 * The workspace that the person picks or creates; the only one if prompting is impossible.
 * @throws CliError when prompting is impossible and there is not exactly one.
 */
export async function pickedWorkspace(connection: Connection, terminal: Terminal): Promise<Workspace> {
  const { workspaces } = (await connection.call('listWorkspaces')).body;
  const [only, ...others] = workspaces;
  if (only && others.length === 0 && !terminal.isInteractive) return only;
  if (!terminal.isInteractive) {
    throw new CliError('usage', 'You have several workspaces.', {
      hint: 'Name one of these: svc init --workspace ID',
      details: workspaces.map(({ workspaceId, name }) => `${workspaceId}  ${name}`),
    });
  }
  const picked = await terminal.ask.select('Which workspace does this repository belong to?', [
    ...workspaces.map(({ workspaceId, name, kind, plan }) => ({
      value: workspaceId,
      label: name,
      hint: `${kind}, ${plan}`,
    })),
    { value: ANOTHER, label: 'A new team workspace' },
  ]);
  const existing = workspaces.find(({ workspaceId }) => workspaceId === picked);
  return existing ?? madeWorkspace(connection, terminal);
}

async function madeWorkspace(connection: Connection, { ask }: Terminal): Promise<Workspace> {
  const name = await ask.text('Name of the new workspace?', {
    validate: (given) => (given.trim().length < 2 ? 'A name must have at least two characters.' : undefined),
  });
  const { workspaceId } = (await connection.call('createWorkspace', { body: { name: name.trim() } })).body;
  const { workspaces } = (await connection.call('listWorkspaces')).body;
  const made = workspaces.find((workspace) => workspace.workspaceId === workspaceId);
  if (!made)
    throw new CliError('unavailable', 'The new workspace is not available yet.', {
      hint: 'Run svc init again.',
    });
  return made;
}
