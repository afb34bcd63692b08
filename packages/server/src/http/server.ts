/**
 * The HTTP server: the framework and Node's server, configured so that every response is ours, slow and silent clients
 * are disconnected, and a stop finishes requests under way.
 */
import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import cookie from '@fastify/cookie';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { AppError } from '#app-error';
import { bindRoutes, type BindingOptions } from '#http/binding';
import { capConnections } from '#http/connection-cap';
import { envelopeOf, errorHeaders, toAppError } from '#http/envelope';
import { headersOf, standardHeaders } from '#http/headers';
import { redirectsOf, rejectAmbiguous } from '#http/hostnames';
import { hostCheck, type OwnHosts } from '#http/known-hosts';
import { clientAddress, networkOf } from '#http/network';
import { registerMetrics, type MetricsRoute } from '#http/metrics-route';
import { createOutgoingBytes } from '#http/outgoing-bytes';
import { answerWithoutRouting } from '#http/raw-answers';
import { createRightChecks, type RightCheckPorts } from '#http/right-checks';
import type { Route } from '#http/route';
import { sessionRightBy } from '#http/session-right';
import { leavesBodyUnread, sendAndLinger } from '#http/unread-body';
import { describeError, type Log } from '#platform/log';
import type { Telemetry } from '#platform/telemetry/telemetry';
import type { RequestSpan } from '#platform/tracing/tracing';
import type { OutgoingBudgets } from '#platform/outgoing-budgets';

/** Longer than the headers allow, so an id of any length reaches the feature, which answers it like an unknown one. */
const PARAMETER_LENGTH_MAX = 16 * 1024;
const CLOSE_CHECKED_EVERY_MS = 20;

/**
 * In place of the framework's compilers of schemas, whose code takes memory and time at the start: requests are
 * checked against the contract (request-schemas.ts).
 */
function hasNoSchemas(): never {
  throw new Error('A route has a schema of the framework: put it into the contract instead.');
}

export interface HttpServerOptions extends BindingOptions, RightCheckPorts, OwnHosts {
  readonly log: Log;
  readonly telemetry: Telemetry;
  /** Null without a token; the path of the metrics is then unknown. */
  readonly metricsRoute: MetricsRoute | null;
  readonly outgoingBudgets: OutgoingBudgets;
  /** The paths outside the API. */
  readonly pages: Pages;
}

export interface Pages {
  register(app: FastifyInstance): void;
  /** Answers a browser that requested an unknown page. */
  sendNotFound(reply: FastifyReply): FastifyReply;
  /** Answers a browser that requested a page under an unknown host name. */
  sendUnknownHost(reply: FastifyReply): FastifyReply;
}

export interface HttpServer {
  readonly app: FastifyInstance;
  /** Resolves to the port. */
  listen(host: string, port: number): Promise<number>;
  /** The number of requests being answered. */
  readonly underWay: () => number;
  /** From now on each response closes its connection. */
  closeConnectionsAfterAnswer(): void;
  /**
   * Accepts no more connections. Idle ones end now, and all others once no request is under way, or after `graceMs`.
   */
  close(graceMs: number): Promise<void>;
}

export async function createHttpServer(
  routes: readonly Route[],
  options: HttpServerOptions,
): Promise<HttpServer> {
  const { log, telemetry, secure, timeouts } = options;
  const { metrics, tracing } = telemetry;
  const headers = standardHeaders(secure);
  const redirectOf = redirectsOf(options.appBaseUrl, options.apiBaseUrl);
  const rejectionOfHost = hostCheck(options);
  const underWay = new Set<ServerResponse>();
  /** The errors that responses reported. */
  const errors = new WeakMap<ServerResponse, AppError>();
  let stopping = false;

  const app = Fastify({
    logger: false,
    schemaController: { compilersFactory: { buildValidator: hasNoSchemas, buildSerializer: hasNoSchemas } },
    genReqId: () => randomUUID(),
    http: {
      headersTimeout: timeouts.headersMs,
      requireHostHeader: false,
      connectionsCheckingInterval: timeouts.connectionsCheckedEveryMs,
    },
    requestTimeout: timeouts.requestMs,
    connectionTimeout: timeouts.silenceMs,
    keepAliveTimeout: timeouts.keepAliveMs,
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    routerOptions: { maxParamLength: PARAMETER_LENGTH_MAX },
    // These requests get no further, so no hook has checked their host.
    frameworkErrors: (error, request, reply) =>
      void sendError(rejectionOfHost(request.raw) ?? error, request, reply as unknown as FastifyReply),
    // Node's own rejections are answered in raw-answers.ts; the framework's listener would answer them a second time.
    clientErrorHandler: () => undefined,
  });
  app.decorate('standardHeaders', headers);
  app.decorate('preparedAnswers', {
    outgoing: createOutgoingBytes(options.outgoingBudgets),
    rights: createRightChecks(options),
    sessionRight: sessionRightBy(options.lookup),
  });
  app.decorate('networkOf', ({ raw }) => networkOf(clientAddress(raw, options.trustedProxyHops)));
  answerWithoutRouting(app.server, { headers: headers.byName, log, lingerMs: timeouts.lingerMs });
  capConnections(app.server, options.trustedProxyHops);

  /** A function of its own, so that a response that lasts long retains neither its request nor its reply. */
  function recordEnd(response: ServerResponse, { span, ...request }: RequestUnderWay): void {
    const began = performance.now();
    // The only event at the end of every response, whether it was sent, cut or never begun.
    response.on('close', () => {
      underWay.delete(response);
      const { method, route } = request;
      const tookMs = performance.now() - began;
      const status = response.writableFinished ? response.statusCode : null;
      const code = errors.get(response)?.code;
      log.info('request', lineOf(request, { traceId: span.traceId, status, code, tookMs }));
      metrics.request({ method, route, status, seconds: tookMs / 1000, code });
      span.end(status, code);
    });
  }

  app.addHook('onRequest', (request, reply, next) => {
    const { raw } = reply;
    const { id: requestId, method } = request;
    const route = request.routeOptions.url;
    const span = tracing.request({ method, route, traceparent: traceparentOf(request) });
    underWay.add(raw);
    recordEnd(raw, { requestId, method, route, span });
    if (stopping) raw.shouldKeepAlive = false;
    try {
      rejectAmbiguous(request.raw);
    } catch (rejection) {
      // What follows on such a connection may not be what its sender meant.
      raw.shouldKeepAlive = false;
      // The response is sent once the parser has processed what has arrived.
      span.within(() => queueMicrotask(() => next(rejection as Error)));
      return;
    }
    const unknownHost = rejectionOfHost(request.raw);
    const elsewhere = redirectOf?.(request.raw);
    if (unknownHost) span.within(() => void sendUnknownHost(unknownHost, request, reply));
    else if (elsewhere) void reply.redirect(elsewhere, 308);
    else span.within(() => next());
  });
  app.addHook('onSend', (_request, reply, payload, next) => {
    void reply.headers(headersOf(reply));
    next(null, payload);
  });
  // Bodies are read by the binding, never by the framework, which would choose a parser by the content type and reject
  // some types even for unknown routes.
  for (const method of ['DELETE', 'OPTIONS', 'PATCH', 'POST', 'PUT', 'QUERY']) {
    app.addHttpMethod(method, { hasBody: false, overrideExisting: true });
  }
  // Cookies are read on demand, and not at every request.
  await app.register(cookie, { hook: false });

  app.setErrorHandler((error, request, reply) => sendError(error, request, reply));
  app.setNotFoundHandler((request, reply) =>
    wantsPage(request)
      ? options.pages.sendNotFound(reply)
      : sendError(new AppError('NOT_FOUND'), request, reply),
  );
  bindRoutes(app, routes, options);
  options.pages.register(app);
  if (options.metricsRoute) registerMetrics(app, options.metricsRoute);

  function sendUnknownHost(rejection: AppError, request: FastifyRequest, reply: FastifyReply): FastifyReply {
    if (!wantsPage(request)) return sendError(rejection, request, reply);
    errors.set(reply.raw, rejection);
    return options.pages.sendUnknownHost(reply);
  }

  function sendError(thrown: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
    const error = toAppError(thrown);
    if (error.code === 'INTERNAL') {
      log.error('unexpected error', {
        requestId: request.id,
        route: request.routeOptions.url,
        error: describeError(error.cause ?? error),
      });
    }
    errors.set(reply.raw, error);
    const payload = JSON.stringify(envelopeOf(error, request.id));
    void reply
      .code(error.status)
      .headers({ ...headers.byName, 'x-request-id': request.id, ...errorHeaders(error) })
      .header('content-type', 'application/json; charset=utf-8');
    return leavesBodyUnread(request.raw, error.status)
      ? sendAndLinger(reply, payload, timeouts.lingerMs)
      : reply.send(payload);
  }

  return {
    app,
    async listen(host, port) {
      await app.listen({ host, port });
      const address = app.server.address();
      return typeof address === 'object' && address !== null ? address.port : port;
    },
    underWay: () => underWay.size,
    closeConnectionsAfterAnswer() {
      stopping = true;
      for (const response of underWay) response.shouldKeepAlive = false;
    },
    async close(graceMs) {
      const deadline = Date.now() + graceMs;
      const force = setInterval(() => {
        // Node treats a connection without a request as busy, and would wait for it.
        if (underWay.size === 0 || Date.now() >= deadline) app.server.closeAllConnections();
      }, CLOSE_CHECKED_EVERY_MS);
      await app.close();
      clearInterval(force);
    },
  };
}

function wantsPage({ method, url, headers }: FastifyRequest): boolean {
  const isRead = method === 'GET' || method === 'HEAD';
  return isRead && !/^\/api(?:[/?]|$)/.test(url) && (headers.accept ?? '').includes('text/html');
}

function traceparentOf({ headers }: FastifyRequest): string | undefined {
  return headers['traceparent']?.toString();
}

interface RequestUnderWay {
  readonly requestId: string;
  readonly method: string;
  readonly route: string | undefined;
  readonly span: RequestSpan;
}

interface ResponseEnd {
  readonly traceId: string | undefined;
  /** Null when the connection ended before the response was complete. */
  readonly status: number | null;
  readonly code: string | undefined;
  readonly tookMs: number;
}

/** The fields of the log line for a request. */
function lineOf(
  request: Omit<RequestUnderWay, 'span'>,
  { traceId, status, code, tookMs }: ResponseEnd,
): Record<string, unknown> {
  const { requestId, method, route } = request;
  const fields = { requestId, ...(traceId === undefined ? {} : { traceId }), method, route };
  if (status === null) return { ...fields, code: 'ABORTED' };
  const durationMs = Math.round(tookMs * 10) / 10;
  return { ...fields, status, ...(code === undefined ? {} : { code }), durationMs };
}
