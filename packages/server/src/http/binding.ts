/**
 * Binds endpoints of the contract to their handlers.
 *
 * Each request goes the same way: size, media type and coding by the headers; origin and credential; body, JSON and
 * schema; then the handler, which decides existence, rights and state. So what a feature is handed is always whole, and
 * nobody without a credential can make the service read a body where one is needed.
 */
import { checksOrigin, limits, parameterNames, takesSession, type Endpoint } from '@svc/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '#app-error';
import { readBody, refuseByHeaders } from '#http/body';
import { checkedAnswer } from '#http/checked-answer';
import { authenticate, type CredentialLookup, type Principal } from '#http/credentials';
import { sessionCookieOf, sessionCookieOn, type SessionCookie } from '#http/cookies';
import { answerWithEvents } from '#http/event-stream';
import { incomingBytes, type IncomingBytes } from '#http/incoming-bytes';
import { isLocalRequest } from '#http/local-request';
import { clientAddress, networkOf, shownNetworkOf } from '#http/network';
import { refuseCrossSite } from '#http/origin';
import { answerPrepared } from '#http/prepared-answer';
import { bodyOf, refuseInvalid } from '#http/request-schemas';
import type { Call, Client, Route } from '#http/route';
import type { Timeouts } from '#http/timeouts';
import type { EventSignatures } from '#platform/signatures/signatures';

const API_PREFIX = '/api/v1';
const SHARE_PASSWORD_HEADER = 'x-svc-share-password';
const SIGNATURE_HEADER = 'stripe-signature';

export interface BindingOptions {
  readonly lookup: CredentialLookup;
  /** Cookies are for https only. */
  readonly secure: boolean;
  /** Where people reach the pages. */
  readonly appBaseUrl: string;
  /** Origins from which our own pages call. */
  readonly ourOrigins: readonly string[];
  readonly trustedProxyHops: number;
  /** Holds each answer against its schema and each error against the endpoint's codes; a departure is an INTERNAL. */
  readonly checkAnswers: boolean;
  readonly timeouts: Timeouts;
  readonly reportBytesMax: number;
  /** Of the payment provider; null where it is not listened to, and then its route is none. */
  readonly signatures: EventSignatures | null;
}

export function bindRoutes(app: FastifyInstance, routes: readonly Route[], options: BindingOptions): void {
  for (const route of routes) {
    if (route.endpoint.signed && !options.signatures) continue;
    const bound = boundTo(route);
    app.route({
      method: route.endpoint.method,
      url: API_PREFIX + route.endpoint.path.replace(/\{(\w+)\}/g, ':$1'),
      exposeHeadRoute: !route.endpoint.streams,
      handler: (request, reply) => answer(bound, request, reply, options),
    });
  }
}

/** A call as its handler gets it; what few of them ask for is looked up when they do. */
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
    given: {
      readonly params: Readonly<Record<string, string>>;
      readonly query: unknown;
      readonly body: unknown;
    },
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
    const { reportBytesMax, timeouts } = this.#options;
    return incomingBytes(this.#request.raw, this.#reply.raw, reportBytesMax, timeouts);
  }

  get isHead(): boolean {
    return this.#request.method === 'HEAD';
  }

  get sharePassword(): Uint8Array | undefined {
    return this.#endpoint.takesSharePassword ? sharePasswordOf(this.#request, this.query) : undefined;
  }

  get network(): string {
    return networkOfRequest(this.#request, this.#options);
  }

  get client(): Client {
    return {
      network: shownNetworkOf(addressOf(this.#request, this.#options)),
      userAgent: headerOf(this.#request, 'user-agent') ?? '',
    };
  }

  get isLocal(): boolean {
    return isLocalRequest(this.#request.raw, this.#options);
  }

  get lastEventId(): string | undefined {
    return headerOf(this.#request, 'last-event-id');
  }

  get sessionCookie(): SessionCookie {
    return sessionCookieOn(this.#reply, this.#options.secure);
  }
}

/** A route with what follows from its endpoint for every request. */
interface Bound {
  readonly route: Route;
  readonly parameterNames: readonly string[];
  readonly queryNames: ReadonlySet<string>;
}

function boundTo(route: Route): Bound {
  const { endpoint } = route;
  return {
    route,
    parameterNames: parameterNames(endpoint),
    queryNames: new Set(Object.keys(endpoint.query?.properties ?? {})),
  };
}

async function answer(
  bound: Bound,
  request: FastifyRequest,
  reply: FastifyReply,
  options: BindingOptions,
): Promise<string | undefined> {
  const { route } = bound;
  const { endpoint } = route;
  const bytesMax = bytesMaxOf(endpoint, options);
  refuseByHeaders(request.raw, bytesMax);
  const principal = await principalOf(endpoint, request, options);
  // A report is read by its feature, once that knows whether it wants it.
  const given = endpoint.takesReport
    ? null
    : await readBody(request.raw, reply.raw, bytesMax, options.timeouts);
  if (endpoint.signed) refuseUnsigned(given, headerOf(request, SIGNATURE_HEADER), options);
  const query = queryOf(bound, request.query);
  const call = new BoundCall(
    request,
    reply,
    options,
    endpoint,
    {
      params: paramsOf(bound, request.params),
      query,
      body: given === null ? undefined : bodyOf(endpoint, given),
    },
    principal,
  ) as unknown as Call<Endpoint>;
  const result = options.checkAnswers ? await checkedAnswer(route, call) : await route.handler(call);
  if (result.source) {
    answerWithEvents(request, reply, result.source);
    return undefined;
  }
  if (result.prepared) {
    const session = principal?.kind === 'session' ? principal : null;
    await answerPrepared(request, reply, result.prepared, { pace: options.timeouts, session });
    return undefined;
  }
  if (result.status === 204) {
    void reply.code(204);
    return '';
  }
  void reply.code(result.status).header('content-type', 'application/json; charset=utf-8');
  return JSON.stringify(result.body);
}

function bytesMaxOf({ takesReport }: Endpoint, { reportBytesMax }: BindingOptions): number {
  return takesReport ? reportBytesMax : limits.jsonBodyBytesMax;
}

/** The bytes as they came, before anything is made of them. All that can be wrong with a signature is told alike. */
function refuseUnsigned(
  bytes: Uint8Array | null,
  signature: string | undefined,
  { signatures }: BindingOptions,
): void {
  if (bytes && signature !== undefined && signatures?.isValid(bytes, signature)) return;
  throw new AppError('UNAUTHENTICATED', {
    message: `The header ${SIGNATURE_HEADER} is missing, is not of this body and a secret of this service, or is more than five minutes off.`,
  });
}

async function principalOf(
  endpoint: Endpoint,
  request: FastifyRequest,
  options: BindingOptions,
): Promise<Principal> {
  const cookie = sessionCookieOf(request);
  const given = {
    authorization: request.headers.authorization,
    sessionCookie: cookie.token,
    hasSeveralSessionCookies: cookie.count > 1,
  };
  if (checksOrigin(endpoint)) {
    const facts = {
      fetchSite: headerOf(request, 'sec-fetch-site'),
      origin: headerOf(request, 'origin'),
      ownOrigin: ownOriginOf(request, options.trustedProxyHops),
      hasCookie: cookie.count > 0,
    };
    refuseCrossSite(facts, options.ourOrigins);
  }
  // Where no session counts, a cookie is not even looked at.
  const principal = await authenticate(
    endpoint.credential,
    takesSession(endpoint) ? given : { ...given, sessionCookie: undefined, hasSeveralSessionCookies: false },
    options.lookup,
  );
  // Before the body is looked at, so that the answer is that of a route which is not there, whatever was sent.
  if (endpoint.administratorOnly && !(principal && (await options.lookup.isAdministrator(principal.userId))))
    throw new AppError('NOT_FOUND');
  return principal;
}

function headerOf(request: FastifyRequest, name: string): string | undefined {
  const value = request.headers[name];
  return Array.isArray(value) ? value.join(', ') : value;
}

function ownOriginOf(request: FastifyRequest, trustedHops: number): string | undefined {
  const forwarded = trustedHops > 0 ? headerOf(request, 'x-forwarded-proto') : undefined;
  const scheme = forwarded === 'https' ? 'https' : 'http';
  return request.headers.host === undefined ? undefined : `${scheme}://${request.headers.host}`;
}

/** What budgets and throttles count as one network. */
export function networkOfRequest(
  request: FastifyRequest,
  { trustedProxyHops }: Pick<BindingOptions, 'trustedProxyHops'>,
): string {
  return networkOf(addressOf(request, { trustedProxyHops }));
}

function addressOf(
  request: FastifyRequest,
  { trustedProxyHops }: Pick<BindingOptions, 'trustedProxyHops'>,
): string {
  return clientAddress(
    request.raw.socket.remoteAddress ?? '',
    headerOf(request, 'x-forwarded-for'),
    trustedProxyHops,
  );
}

function paramsOf({ route, parameterNames: names }: Bound, params: unknown): Record<string, string> {
  const given = params as Record<string, string>;
  const { endpoint } = route;
  if (endpoint.params) {
    const words = Object.keys(endpoint.params.properties).map((name) => [name, given[name]]);
    refuseInvalid(endpoint.params, Object.fromEntries(words));
  }
  const named: Record<string, string> = {};
  for (const name of names) named[name] = given[name] ?? '';
  return named;
}

/** Headers come as one unit of text for each byte. */
function sharePasswordOf(request: FastifyRequest, query: unknown): Uint8Array | undefined {
  const header = headerOf(request, SHARE_PASSWORD_HEADER);
  if (header) return Buffer.from(header, 'latin1');
  const { password } = (query ?? {}) as { password?: string };
  return password ? Buffer.from(password) : undefined;
}

/** Only the parameters that the endpoint names; others are ignored. */
function queryOf({ route, queryNames }: Bound, given: unknown): unknown {
  const { endpoint } = route;
  if (!endpoint.query) return undefined;
  const query = Object.fromEntries(Object.entries(given as object).filter(([name]) => queryNames.has(name)));
  refuseInvalid(endpoint.query, query);
  return query;
}
