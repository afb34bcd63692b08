/**
 * The connection of one command to its service: address, credential, retries, and failures as sentences.
 *
 * `call` is for callers that need success; `attempt` is for callers that branch on the service's codes.
 */
import { createClient, type Client } from '@svc/client';
import { endpoints, type Endpoint } from '@svc/contract';
import type { Invocation } from '../command.ts';
import type { Environment } from '../environment.ts';
import { CliError } from '../errors.ts';
import { foldersOf } from '../folders.ts';
import { openCredentials } from '../keystore/open-keystore.ts';
import { version } from '../version.ts';
import { withShapes } from './answer-shape.ts';
import { noteAnswer } from './reached-service.ts';
import { limitedFetch } from './limited-fetch.ts';
import { LOGIN, linkHints, type CredentialSource } from './link-hint.ts';
import { originOf } from './origin.ts';
import { rejection, silence } from './rejection.ts';
import { noRetries, type RetryBudget } from './retry-budget.ts';
import { withRetries } from './retry.ts';

type CallInput<Name extends keyof Client> = Parameters<Client[Name]>;
type CallOutcome<Name extends keyof Client> = Awaited<ReturnType<Client[Name]>>;
type CallSuccess<Name extends keyof Client> = Extract<CallOutcome<Name>, { readonly ok: true }>;

export interface Connection {
  /** `https://svc.example.com`, without a slash at its end. */
  readonly origin: string;
  /** What to do when the service rejects the credential. */
  readonly linkHint: string;
  /**
   * A call that must succeed.
   * @throws CliError for every rejection, missing response and interruption.
   */
  call<Name extends keyof Client>(name: Name, ...input: CallInput<Name>): Promise<CallSuccess<Name>>;
  /**
   * A call whose rejections the caller handles.
   * @throws CliError for a missing response and an interruption.
   */
  attempt<Name extends keyof Client>(name: Name, ...input: CallInput<Name>): Promise<CallOutcome<Name>>;
  /** The client for single calls, without retries. */
  readonly client: Client;
  /** The retry budget that all calls of the command share. */
  readonly retries: RetryBudget;
  /** The same connection, for calls that end when another signal is aborted. */
  withSignal(signal: AbortSignal): Connection;
  /** The same connection, for calls that a loop repeats until its own deadline: each is sent once. */
  withoutRetries(): Connection;
}

export type ConnectionOptions = Pick<Invocation, 'environment' | 'clock' | 'signal' | 'retries'>;

/** POST calls that may be repeated even if they arrived, besides all calls that only read, replace or delete. */
const repeatablePosts: ReadonlySet<string> = new Set([
  'createProject',
  'createReport',
  'sendProgress',
  'createUploadIntent',
  'finalizeReport',
  'queryDecisions',
] satisfies string[]);

/** @throws CliError `unauthenticated` without a credential for the service. */
export async function connect(asked: ConnectionOptions): Promise<Connection> {
  const { origin, credential } = await heldCredential(asked.environment);
  if (credential === null) {
    throw new CliError('unauthenticated', `This machine is not linked to ${origin}.`, { hint: LOGIN });
  }
  return connectTo(origin, credential.token, asked, linkHints[credential.source]);
}

export interface HeldCredential {
  readonly origin: string;
  readonly credential: { readonly token: string; readonly source: CredentialSource } | null;
}

/** The service of the command, and the stored credential for it. The variable takes precedence over the keystore. */
export async function heldCredential(environment: Environment): Promise<HeldCredential> {
  const { config } = foldersOf(environment);
  const origin = await originOf(environment, config);
  const given = environment['SVC_DEVICE_TOKEN']?.trim();
  if (given) {
    // A token with characters that no header can contain would fail later, with an error that shows the token.
    if (!/^[\u0021-\u007E]{1,500}$/.test(given))
      throw new CliError('unauthenticated', 'SVC_DEVICE_TOKEN is not a valid credential.', {
        hint: linkHints.SVC_DEVICE_TOKEN,
      });
    return { origin, credential: { token: given, source: 'SVC_DEVICE_TOKEN' } };
  }
  const kept = await openCredentials(environment, config).read(origin);
  return { origin, credential: kept === null ? null : { token: kept, source: 'keystore' } };
}

/** @param token null for calls that need none. */
export function connectTo(
  origin: string,
  token: string | null,
  asked: Omit<ConnectionOptions, 'environment'>,
  hint: string = LOGIN,
): Connection {
  const { clock, signal, retries } = asked;
  const client = withShapes(
    createClient({
      baseUrl: origin,
      headers: { 'user-agent': `svc/${version}` },
      fetch: limitedFetch,
      ...(token === null ? {} : { deviceToken: token }),
    }),
  );
  async function attempt<Name extends keyof Client>(
    name: Name,
    ...input: CallInput<Name>
  ): Promise<CallOutcome<Name>> {
    const once = client[name] as (given: object) => Promise<CallOutcome<Name>>;
    const { method }: Endpoint = endpoints[name];
    const repeatable = method !== 'POST' || repeatablePosts.has(name);
    try {
      const outcome = await withRetries(
        () => once({ signal, ...input[0] }),
        { repeatable, signal },
        { budget: retries, now: clock.now },
      );
      noteAnswer(token !== null && outcome.ok ? { origin, client } : null);
      return outcome;
    } catch (error) {
      noteAnswer(null);
      throw silence(error, origin, signal);
    }
  }
  return {
    origin,
    client,
    attempt,
    retries,
    linkHint: hint,
    withSignal: (other) => connectTo(origin, token, { ...asked, signal: other }, hint),
    withoutRetries: () => connectTo(origin, token, { ...asked, retries: noRetries(clock) }, hint),
    async call<Name extends keyof Client>(name: Name, ...input: CallInput<Name>) {
      const outcome = await attempt(name, ...input);
      if (!outcome.ok) throw rejection(outcome, origin, hint);
      return outcome as CallSuccess<Name>;
    },
  };
}
