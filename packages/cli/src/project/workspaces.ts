/** Which workspace is meant: by its id or its name, or by asking. */
import type { Workspace } from '@svc/contract';
import type { Connection } from '../connection/connect.ts';
import { CliError } from '../errors.ts';
import type { Terminal } from '../terminal/terminal.ts';

const ANOTHER = 'new';

/** @param wanted an id, or a name that only one has. @throws CliError when none or several are meant. */
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
      hint: 'Give the id of one of these.',
      details: workspaces.map(({ workspaceId, name }) => `${workspaceId}  ${name}`),
    },
  );
}

/** The only workspace there is, or the one that the person picks or makes. @throws CliError where nobody can pick. */
export async function pickedWorkspace(connection: Connection, terminal: Terminal): Promise<Workspace> {
  const { workspaces } = (await connection.call('listWorkspaces')).body;
  const [only, ...others] = workspaces;
  if (only && others.length === 0 && !terminal.isInteractive) return only;
  if (!terminal.isInteractive) {
    throw new CliError('usage', 'There are several workspaces, and nobody to pick one.', {
      hint: 'svc init --workspace <id or name>',
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
  const name = await ask.text('What is it called?', {
    validate: (given) => (given.trim().length < 2 ? 'At least two characters, please.' : undefined),
  });
  const { workspaceId } = (await connection.call('createWorkspace', { body: { name: name.trim() } })).body;
  const { workspaces } = (await connection.call('listWorkspaces')).body;
  const made = workspaces.find((workspace) => workspace.workspaceId === workspaceId);
  if (!made) throw new CliError('unavailable', 'The new workspace is not listed yet.', { hint: 'svc init' });
  return made;
}
