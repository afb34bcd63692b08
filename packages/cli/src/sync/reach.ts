/**
 * Whether a scan that begins now can be synced, found out before it begins: is there a credential, a project, and a unit
 * of the quota. Bounded in time, since a scan needs none of it.
 */
import type { Quota } from '@svc/contract';
import type { Invocation } from '../command.ts';
import { connect, type Connection } from '../connection/connect.ts';
import { LOGIN } from '../connection/link-hint.ts';
import { refusal } from '../connection/refusal.ts';
import { CliError } from '../errors.ts';
import { projectOf } from '../project/project.ts';
import { FOREIGN_BINDING, FOREIGN_HINT, hasForeignBinding } from '../project/standing.ts';
import type { Terminal } from '../terminal/terminal.ts';

const PATIENCE_MS = 8000;

export type Reach =
  | { readonly kind: 'ready'; readonly connection: Connection }
  /** Unknown for now; a scan may begin, and what it says is kept for later. */
  | { readonly kind: 'unreachable'; readonly connection: Connection; readonly error: CliError }
  /** Reports stay here; what would change that is in `hint`. */
  | { readonly kind: 'unlinked' | 'unbound' | 'foreign'; readonly reason: string; readonly hint: string }
  | { readonly kind: 'ineligible'; readonly quota: Quota };

/**
 * @param root of the repository.
 * @throws CliError when the command is interrupted, or what is on this machine is damaged.
 */
export async function reachOf(
  invocation: Pick<Invocation, 'environment' | 'signal' | 'clock'>,
  root: string,
): Promise<Reach> {
  const { environment, signal } = invocation;
  let connection: Connection;
  try {
    connection = await connect(invocation);
  } catch (error) {
    if (error instanceof CliError && error.reason === 'unauthenticated') return unlinked(error);
    throw error;
  }
  const patience = invocation.clock.timeout(PATIENCE_MS);
  const hurried = connection.withSignal(AbortSignal.any([signal, patience]));
  try {
    const project = await projectOf({ environment, folder: root }, hurried);
    if (project === null) return (await hasForeignBinding(root, environment)) ? foreign : unbound;
    const outcome = await hurried.attempt('getSyncQuota', { query: { workspaceId: project.workspaceId } });
    if (outcome.ok)
      return outcome.body.eligible
        ? { kind: 'ready', connection }
        : { kind: 'ineligible', quota: outcome.body };
    const error = refusal(outcome, connection.origin, connection.linkHint);
    if (error.reason === 'unauthenticated') return unlinked(error);
    return { kind: 'unreachable', connection, error };
  } catch (error) {
    if (!(error instanceof CliError) || signal.aborted) throw error;
    if (error.reason === 'unauthenticated') return unlinked(error);
    if (error.reason === 'unavailable') return { kind: 'unreachable', connection, error };
    if (!patience.aborted) throw error;
    return { kind: 'unreachable', connection, error: tooSlow(connection.origin, error) };
  }
}

function unlinked({ message, hint = LOGIN }: CliError): Reach {
  return { kind: 'unlinked', reason: message, hint };
}

const unbound: Reach = {
  kind: 'unbound',
  reason: 'This repository is bound to no project of your account.',
  hint: 'svc init',
};

const foreign: Reach = { kind: 'foreign', reason: FOREIGN_BINDING, hint: FOREIGN_HINT };

function tooSlow(origin: string, cause: unknown): CliError {
  return new CliError('unavailable', `${origin} does not answer in time.`, { cause });
}

/** Why a report is not going to be synced as the scan runs, and what would change that. */
export function sayReach(reach: Reach, { note, warn }: Pick<Terminal, 'note' | 'warn'>): void {
  switch (reach.kind) {
    case 'ready':
      return;
    case 'unreachable':
      return warn(`${reach.error.message} The scan goes on, and what it says is kept for later.`);
    case 'ineligible':
      return warn(`${ineligible(reach.quota).message} The scan stays on this machine.`);
    case 'foreign':
      return warn(`${reach.reason} The scan stays on this machine. ${reach.hint}`);
    default:
      note(`${reach.reason} The scan stays on this machine. To sync: ${reach.hint}`);
  }
}

function ineligible(quota: Quota): CliError {
  const { blockedBy = 'daily' } = quota;
  const { limit, resetsAt } = quota[blockedBy];
  return new CliError(
    'quotaReached',
    `The ${blockedBy} number of cloud reports (${limit}) is used up until ${resetsAt}.`,
    { code: blockedBy === 'daily' ? 'SYNC_DAILY_LIMIT_REACHED' : 'SYNC_WEEKLY_LIMIT_REACHED' },
  );
}
