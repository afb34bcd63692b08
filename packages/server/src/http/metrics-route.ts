/** `GET /metrics` for the operator's monitoring, with a bearer token. It is not part of the API. */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { AppError } from '#app-error';
import type { Exposition } from '#platform/metrics/metrics';

export interface MetricsRoute {
  readonly token: string;
  readonly exposition: Exposition;
}

export const METRICS_PATH = '/metrics';

export function registerMetrics(app: FastifyInstance, { token, exposition }: MetricsRoute): void {
  const expected = digestOf(`Bearer ${token}`);
  app.get(METRICS_PATH, async (request, reply) => {
    if (!timingSafeEqual(digestOf(request.headers.authorization ?? ''), expected))
      throw new AppError('UNAUTHENTICATED');
    const text = await exposition.text();
    return reply.headers({ 'content-type': exposition.contentType, 'cache-control': 'no-store' }).send(text);
  });
}

/** A digest has the same length for every header, so that digests can be compared in constant time. */
function digestOf(header: string): Buffer {
  return createHash('sha256').update(header).digest();
}
