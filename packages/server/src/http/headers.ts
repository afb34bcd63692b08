/** The headers of every response, unless it sets its own value. */
import type { FastifyReply } from 'fastify';

const CACHE_CONTROL = 'private, no-store, must-revalidate';
const KEPT_FOR_GOOD = 'public, max-age=31536000, immutable';
const KEPT_FOR_MINUTES = 'public, max-age=300';

/** An exported file that is opened in a browser runs nothing and loads nothing, whatever its content. */
const FILE_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox";

export interface StandardHeaders {
  readonly byName: Readonly<Record<string, string>>;
  /** Alternating names and values, which Node writes without checking them again. */
  readonly ofData: readonly string[];
  readonly ofFiles: readonly string[];
  readonly ofImmutable: readonly string[];
  readonly ofPublic: readonly string[];
}

/** @param secure the service is reached over https. */
export function standardHeaders(secure: boolean): StandardHeaders {
  const byName = {
    'cache-control': CACHE_CONTROL,
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
    'cross-origin-resource-policy': 'same-origin',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    ...(secure ? { 'strict-transport-security': 'max-age=31536000; includeSubDomains' } : {}),
  };
  return {
    byName,
    ofData: Object.entries(byName).flat(),
    ofFiles: Object.entries({ ...byName, 'content-security-policy': FILE_POLICY }).flat(),
    ofImmutable: Object.entries({ ...byName, 'cache-control': KEPT_FOR_GOOD }).flat(),
    ofPublic: Object.entries({ ...byName, 'cache-control': KEPT_FOR_MINUTES }).flat(),
  };
}

/** All headers of a response that is written without the framework. */
export function headersOf(reply: FastifyReply): Record<string, string> {
  return {
    ...reply.server.standardHeaders.byName,
    'x-request-id': reply.request.id,
    ...(reply.getHeaders() as Record<string, string>),
  };
}

declare module 'fastify' {
  interface FastifyInstance {
    readonly standardHeaders: StandardHeaders;
    /** The network as budgets and throttles count it. */
    readonly networkOf: (request: FastifyRequest) => string;
  }
}
