/**
 * Whether a scan that begins now can be synced: is there a credential, a project, and a unit of the quota? The check has a
 * time limit, because a scan needs none of these.
 */
import type { Quota } from '@svc/contract';
import type { Invocation } from '../command.ts';
import { connect, type Connection } from '../connection/connect.ts';
import { LOGIN } from '../connection/link-hint.ts';
import { rejection } from '../connection/rejection.ts';
import { CliError } from '../errors.ts';
import { projectOf } from '../project/project.ts';
import { FOREIGN_BINDING, FOREIGN_HINT, hasForeignBinding } from '../project/standing.ts';
import type { Terminal } from '../terminal/terminal.ts';

const PATIENCE_MS = 8000;

export type SyncReadiness =
  | { readonly kind: 'ready'; readonly connection: Connection }
  /** The service is unreachable or rejects the call for now. The scan may begin, and its progress is kept for later. */
  | { readonly kind: 'unreachable'; readonly connection: Connection; readonly error: CliError }
  /** Reports stay here; `hint` says what would change that. */
  | { readonly kind: 'unlinked' | 'unbound' | 'foreign'; readonly reason: string; readonly hint: string }
  | { readonly kind: 'ineligible'; readonly quota: Quota };

/**
 * @param root of the repository.
 * @throws CliError when the command is interrupted, this machine's data is damaged, or something other than the service
 * responds.
 */
export async function reachOf(
  invocation: Pick<Invocation, 'environment' | 'signal' | 'clock' | 'retries'>,
  root: string,
): Promise<SyncReadiness> {
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
    const error = rejection(outcome, connection.origin, connection.linkHint);
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

function unlinked({ message, hint = LOGIN }: CliError): SyncReadiness {
  return { kind: 'unlinked', reason: message, hint };
}

const unbound: SyncReadiness = {
  kind: 'unbound',
  reason: 'This repository is not bound to a project of your account.',
  hint: 'svc init',
};

const foreign: SyncReadiness = { kind: 'foreign', reason: FOREIGN_BINDING, hint: FOREIGN_HINT };

function tooSlow(origin: string, cause: unknown): CliError {
  return new CliError('unavailable', `${origin} did not respond in time.`, { cause });
}

/** Prints why a report is not synced during the scan, and what would change that. */
export function sayReach(reach: SyncReadiness, { note, warn }: Pick<Terminal, 'note' | 'warn'>): void {
  switch (reach.kind) {
    case 'ready':
      return;
    case 'unreachable':
      return warn(`${reach.error.message} The scan continues, and its progress is kept for later.`);
    case 'ineligible':
      return warn(`${ineligible(reach.quota).message} The report stays on this machine.`);
    case 'foreign':
      return warn(`${reach.reason} The report stays on this machine. ${reach.hint}`);
    default:
      note(`${reach.reason} The report stays on this machine. To sync: ${reach.hint}`);
  }
}

function ineligible(quota: Quota): CliError {
  const { blockedBy = 'daily' } = quota;
  const { limit, resetsAt } = quota[blockedBy];
  return new CliError(
    'quotaReached',
    `The ${blockedBy} quota of cloud reports (${limit}) is used up until ${resetsAt}.`,
    { code: blockedBy === 'daily' ? 'SYNC_DAILY_LIMIT_REACHED' : 'SYNC_WEEKLY_LIMIT_REACHED' },
  );
}
