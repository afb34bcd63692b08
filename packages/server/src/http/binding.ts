/**
 * Binds endpoints of the contract to their handlers.
 *
 * Each request takes the same steps: size, media type and coding from the headers; origin and credential; body, JSON
 * and schema. Then the handler decides existence, permission and state. So a feature always receives valid input. Where
 * a session or a device token is needed, no caller without one can make the service read a body.
 */
import { limits, parameterNames, type Endpoint } from '@svc/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '#app-error';
import { hasBody, readBody, rejectByHeaders } from '#http/body';
import { checkedAnswer } from '#http/checked-answer';
import { principalOf, type CredentialOptions, type Principal } from '#http/credentials';
import { sessionCookieOn, type SessionCookie } from '#http/cookies';
import { answerWithEvents } from '#http/event-stream';
import { incomingBytes, type IncomingBytes } from '#http/incoming-bytes';
import { isLocalRequest } from '#http/local-request';
import { clientAddress, shownNetworkOf } from '#http/network';
import { answerPrepared } from '#http/prepared-answer';
import { bodyOf, rejectInvalid } from '#http/request-schemas';
import type { Call, Client, Route } from '#http/route';
import type { Timeouts } from '#http/timeouts';
import type { EventSignatures } from '#platform/signatures/signatures';

const NO_BYTES = new Uint8Array();
export const API_PREFIX = '/api/v1';
const SHARE_PASSWORD_HEADER = 'x-svc-share-password';
const SHARE_UNLOCK_HEADER = 'x-svc-share-unlock';
const SIGNATURE_HEADER = 'stripe-signature';

export interface BindingOptions extends CredentialOptions {
  /** Cookies are for https only. */
  readonly secure: boolean;
  /** The origin of the pages. */
  readonly appBaseUrl: string;
  /** Checks each response against its schema and each error against the endpoint's codes; a mismatch is an error. */
  readonly checkAnswers: boolean;
  readonly timeouts: Timeouts;
  readonly reportBytesMax: number;
  /** Verifies the payment provider's signatures; null without billing, and then its route does not exist. */
  readonly signatures: EventSignatures | null;
}

export function bindRoutes(app: FastifyInstance, routes: readonly Route[], options: BindingOptions): void {
  for (const route of routes) {
    if (route.endpoint.signed && !options.signatures) continue;
    app.route({
      method: route.endpoint.method,
      url: API_PREFIX + route.endpoint.path.replace(/\{(\w+)\}/g, ':$1'),
      exposeHeadRoute: !route.endpoint.streams,
      handler: handlerOf(route, options),
    });
  }
}

/** The input of a request, in the types that its endpoint declares. */
interface Given {
  readonly params: Readonly<Record<string, string>>;
  readonly query: unknown;
  readonly body: unknown;
}

/** A call as its handler gets it. What only a few handlers need is looked up on demand. */
class BoundCall {
  readonly #request: FastifyRequest;
  readonly #reply: FastifyReply;
  readonly #options: BindingOptions;
  readonly #endpoint: Endpoint;
  readonly params: Readonly<Record<string, string>>;
  readonly query: unknown;
  readonly body: unknown;
  readonly principal: Principal;

  constructor(
    request: FastifyRequest,
    reply: FastifyReply,
    options: BindingOptions,
    endpoint: Endpoint,
    given: Given,
    principal: Principal,
  ) {
    this.#request = request;
    this.#reply = reply;
    this.#options = options;
    this.#endpoint = endpoint;
    this.params = given.params;
    this.query = given.query;
    this.body = given.body;
    this.principal = principal;
  }

  get bytes(): IncomingBytes {
    return incomingBytes(this.#request.raw, this.#reply.raw, this.#options);
  }

  get isHead(): boolean {
    return this.#request.method === 'HEAD';
  }

  get sharePassword(): Uint8Array | undefined {
    if (!this.#endpoint.takesSharePassword) return undefined;
    // Each character of a header is one byte.
    const header = this.#request.headers[SHARE_PASSWORD_HEADER];
    if (header) return Buffer.from(String(header), 'latin1');
    const { password } = (this.query ?? {}) as { password?: string };
    return password ? Buffer.from(password) : undefined;
  }

  get shareUnlock(): string | undefined {
    if (!this.#endpoint.takesSharePassword) return undefined;
    return this.#request.headers[SHARE_UNLOCK_HEADER]?.toString() || undefined;
  }

  get network(): string {
    return this.#request.server.networkOf(this.#request);
  }

  get client(): Client {
    return {
      network: shownNetworkOf(clientAddress(this.#request.raw, this.#options.trustedProxyHops)),
      userAgent: this.#request.headers['user-agent'] ?? '',
    };
  }

  get isLocal(): boolean {
    return isLocalRequest(this.#request.raw, this.#options);
  }

  get lastEventId(): string | undefined {
    return this.#request.headers['last-event-id']?.toString();
  }

  get sessionCookie(): SessionCookie {
    return sessionCookieOn(this.#reply, this.#options.secure);
  }
}

function handlerOf(route: Route, options: BindingOptions) {
  const { endpoint } = route;
  const { checkAnswers, reportBytesMax, timeouts } = options;
  const bytesMax = endpoint.takesReport ? reportBytesMax : limits.jsonBodyBytesMax;
  const names: ParameterNames = {
    path: parameterNames(endpoint),
    query: new Set(Object.keys(endpoint.query?.properties ?? {})),
  };

  return async function answer(request: FastifyRequest, reply: FastifyReply): Promise<string | undefined> {
    const isSendingBody = hasBody(request.raw);
    if (isSendingBody) rejectByHeaders(request.raw, bytesMax);
    const principal = await principalOf(endpoint, request, options);
    // A report body is read by its feature, after the feature has accepted the upload.
    const bytes =
      isSendingBody && !endpoint.takesReport
        ? await readBody(request.raw, reply.raw, bytesMax, timeouts)
        : NO_BYTES;
    if (endpoint.signed) rejectUnsigned(bytes, request.headers[SIGNATURE_HEADER]?.toString(), options);
    const given = givenIn(endpoint, names, request, bytes);
    const call = new BoundCall(
      request,
      reply,
      options,
      endpoint,
      given,
      principal,
    ) as unknown as Call<Endpoint>;
    const result = checkAnswers ? await checkedAnswer(route, call) : await route.handler(call);
    if (result.source) {
      answerWithEvents(request, reply, result.source);
      return undefined;
    }
    if (result.prepared) {
      const session = principal?.kind === 'session' ? principal : null;
      await answerPrepared(request, reply, result.prepared, { pace: timeouts, session });
      return undefined;
    }
    if (result.status === 204) {
      void reply.code(204);
      return '';
    }
    void reply.code(result.status).header('content-type', 'application/json; charset=utf-8');
    return JSON.stringify(result.body);
  };
}

/**
 * Checks the signature of the body as received, before it is parsed. Every fault of a signature returns the same error.
 */
function rejectUnsigned(
  bytes: Uint8Array,
  signature: string | undefined,
  { signatures }: BindingOptions,
): void {
  if (signature !== undefined && signatures?.isValid(bytes, signature)) return;
  throw new AppError('UNAUTHENTICATED', {
    message: `The header ${SIGNATURE_HEADER} is missing, is not valid for this body, or is more than five minutes off.`,
  });
}

interface ParameterNames {
  readonly path: readonly string[];
  readonly query: ReadonlySet<string>;
}

/** Reads only the parameters that the endpoint names; others are ignored. */
function givenIn(
  endpoint: Endpoint,
  names: ParameterNames,
  request: FastifyRequest,
  bytes: Uint8Array,
): Given {
  let query: unknown;
  if (endpoint.query) {
    const entries = Object.entries(request.query as object).filter(([name]) => names.query.has(name));
    query = Object.fromEntries(entries);
    rejectInvalid(endpoint.query, query);
  }
  const inPath = request.params as Record<string, string>;
  if (endpoint.params) {
    const declared = Object.keys(endpoint.params.properties).map((name) => [name, inPath[name]]);
    rejectInvalid(endpoint.params, Object.fromEntries(declared));
  }
  const params: Record<string, string> = {};
  for (const name of names.path) params[name] = inPath[name] ?? '';
  const body = endpoint.body || bytes.length > 0 ? bodyOf(endpoint, bytes) : undefined;
  return { params, query, body };
}
