/** Asks the service which findings are set aside. Only fingerprints are sent. */
import { limits } from '@svc/contract';
import type { DecisionsByFingerprint, Rated } from '@svc/report';
import type { Invocation } from '../command.ts';
import { connect, heldCredential, type Connection } from '../connection/connect.ts';
import { rejection } from '../connection/rejection.ts';
import { CliError } from '../errors.ts';
import { projectOf } from '../project/project.ts';
import { ownBindingOf } from '../project/standing.ts';
import { SECOND_MS } from '../time.ts';

/** A gate or an export waits at most this long for all responses of the service. */
const PATIENCE_MS = 5 * SECOND_MS;

export interface ServiceDecisions {
  readonly origin: string;
  readonly projectId: string;
  readonly decisions: DecisionsByFingerprint;
}

export interface DecisionsQuestion {
  /** A folder in the repository. */
  readonly folder: string;
  readonly fingerprints: readonly string[];
}

/**
 * Null when no service can be asked: the repository has no binding of its own, this machine has no credential, or no
 * project of the account has the binding.
 * @throws CliError for every failure, `unavailable` when the service did not respond in time.
 */
export async function serviceDecisions(
  invocation: Invocation,
  question: DecisionsQuestion,
): Promise<ServiceDecisions | null> {
  const { environment, signal, clock } = invocation;
  // The binding first, because reading a credential may ask the person to unlock a keyring.
  if ((await ownBindingOf(question.folder, environment)) === null) return null;
  if ((await heldCredential(environment)).credential === null) return null;
  const patience = clock.timeout(PATIENCE_MS);
  const connection = (await connect(invocation)).withSignal(AbortSignal.any([signal, patience]));
  try {
    return await asked(connection, environment, question);
  } catch (error) {
    if (!(error instanceof CliError) || signal.aborted || !patience.aborted) throw error;
    const message = `${connection.origin} did not respond within ${PATIENCE_MS / SECOND_MS} seconds.`;
    throw new CliError('unavailable', message, { cause: error });
  }
}

async function asked(
  connection: Connection,
  environment: Invocation['environment'],
  { folder, fingerprints }: DecisionsQuestion,
): Promise<ServiceDecisions | null> {
  const { origin, linkHint } = connection;
  const project = await projectOf({ environment, folder }, connection);
  if (project === null) return null;
  const { projectId } = project;
  const decisions = new Map<string, Rated>();
  for (let at = 0; at < fingerprints.length; at += limits.decisionsQueriedMax) {
    const body = { fingerprints: fingerprints.slice(at, at + limits.decisionsQueriedMax) };
    const outcome = await connection.attempt('queryDecisions', { params: { id: projectId }, body });
    if (!outcome.ok)
      throw outcome.error.code === 'NOT_FOUND' ? notThere(origin) : rejection(outcome, origin, linkHint);
    for (const { fingerprint, status, severity } of outcome.body.decisions)
      decisions.set(fingerprint, { status, severity });
  }
  return { origin, projectId, decisions };
}

function notThere(origin: string): CliError {
  return new CliError('failed', `${origin} has no decisions for this project.`, {
    hint: 'The project may have been deleted.',
  });
}
