/**
 * The connection of one command to its service: address, credential, retries, and failures as sentences.
 *
 * `call` is for those who only go on when it works; `attempt` for those who branch on the service's codes.
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
import { noteAnswer } from './answered.ts';
import { limitedFetch } from './limited-fetch.ts';
import { LOGIN, linkHint, type CredentialSource } from './link-hint.ts';
import { originOf } from './origin.ts';
import { refusal, silence } from './refusal.ts';
import { withRetries } from './retry.ts';

type Input<Name extends keyof Client> = Parameters<Client[Name]>;
type Outcome<Name extends keyof Client> = Awaited<ReturnType<Client[Name]>>;
type Answer<Name extends keyof Client> = Extract<Outcome<Name>, { readonly ok: true }>;

export interface Connection {
  /** `https://svc.example.com`, without a slash at its end. */
  readonly origin: string;
  /** What to do when the service refuses the credential. */
  readonly linkHint: string;
  /** A call that must succeed. @throws CliError for each refusal, silence and interruption. */
  call<Name extends keyof Client>(name: Name, ...input: Input<Name>): Promise<Answer<Name>>;
  /** A call whose refusals the caller looks at. @throws CliError for silence and interruption. */
  attempt<Name extends keyof Client>(name: Name, ...input: Input<Name>): Promise<Outcome<Name>>;
  /** Single calls as they are, without retries. */
  readonly client: Client;
  /** The same, for calls that end when another signal is aborted. */
  withSignal(signal: AbortSignal): Connection;
}

export type Asked = Pick<Invocation, 'environment' | 'clock' | 'signal'>;

/** Calls that may be made again though they may have arrived; besides all that only read, replace or delete. */
const repeatablePosts: ReadonlySet<string> = new Set([
  'createProject',
  'createReport',
  'sendProgress',
  'createUploadIntent',
  'finalizeReport',
] satisfies string[]);

/** @throws CliError `unauthenticated` when no credential is held for the service. */
export async function connect(asked: Asked): Promise<Connection> {
  const { origin, credential } = await heldCredential(asked.environment);
  if (credential === null) {
    throw new CliError('unauthenticated', `This machine is not linked to ${origin}.`, { hint: LOGIN });
  }
  return connectTo(origin, credential.token, asked, linkHint(credential.source));
}

export interface Held {
  readonly origin: string;
  readonly credential: { readonly token: string; readonly source: CredentialSource } | null;
}

/** The service that is asked, and the credential held for it. The variable passes the keystore by. */
export async function heldCredential(environment: Environment): Promise<Held> {
  const { config } = foldersOf(environment);
  const origin = await originOf(environment, config);
  const given = environment['SVC_DEVICE_TOKEN']?.trim();
  if (given) {
    requireTokenForm(given);
    return { origin, credential: { token: given, source: 'SVC_DEVICE_TOKEN' } };
  }
  const kept = await openCredentials(environment, config).read(origin);
  return { origin, credential: kept === null ? null : { token: kept, source: 'keystore' } };
}

/** What can not stand in a header would fail later, in words that show it. */
function requireTokenForm(token: string): void {
  if (/^[\u0021-\u007E]{1,500}$/.test(token)) return;
  throw new CliError('unauthenticated', 'SVC_DEVICE_TOKEN holds no credential.', {
    hint: linkHint('SVC_DEVICE_TOKEN'),
  });
}

/** @param token null for the calls that need none. */
export function connectTo(
  origin: string,
  token: string | null,
  { clock, signal }: Omit<Asked, 'environment'>,
  hint: string = LOGIN,
): Connection {
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
    ...input: Input<Name>
  ): Promise<Outcome<Name>> {
    const once = client[name] as (given: object) => Promise<Outcome<Name>>;
    const { method }: Endpoint = endpoints[name];
    const repeatable = method !== 'POST' || repeatablePosts.has(name);
    try {
      const outcome = await withRetries(
        () => once({ signal, ...input[0] }),
        { repeatable, signal },
        { wait: clock.wait, random: Math.random },
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
    linkHint: hint,
    withSignal: (other) => connectTo(origin, token, { clock, signal: other }, hint),
    async call<Name extends keyof Client>(name: Name, ...input: Input<Name>) {
      const outcome = await attempt(name, ...input);
      if (!outcome.ok) throw refusal(outcome, origin, hint);
      return outcome as Answer<Name>;
    },
  };
}
