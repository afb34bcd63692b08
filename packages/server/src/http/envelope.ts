/** The error envelope of every error response, whatever raised the error. */
import type { ErrorCode, ErrorEnvelope } from '@svc/contract';
import { AppError } from '#app-error';
import { isUnavailable } from '#platform/unavailable';

/**
 * Converts any thrown value to the error that the client gets. A rejection of the framework gets the matching code.
 * Anything else but an AppError becomes an INTERNAL without details.
 */
export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  if (isUnavailable(error))
    return new AppError('INTERNAL', { status: 503, retryAfterMs: 5000, cause: error });
  return fromFramework(error) ?? new AppError('INTERNAL', { cause: error });
}

/** The framework's own rejections of a request, such as an unsupported content type. */
function fromFramework(error: unknown): AppError | undefined {
  const { code, statusCode } = error as { code?: unknown; statusCode?: unknown };
  if (typeof code !== 'string' || !code.startsWith('FST_ERR_') || typeof statusCode !== 'number')
    return undefined;
  if (code === 'FST_ERR_BAD_URL' || statusCode === 404) return new AppError('NOT_FOUND');
  if (statusCode === 413 || statusCode === 415) return new AppError('BAD_REQUEST', { status: statusCode });
  if (statusCode >= 400 && statusCode < 500) return new AppError('BAD_REQUEST');
  return undefined;
}

export function envelopeOf(error: AppError, requestId: string): ErrorEnvelope {
  // INTERNAL reveals nothing of its cause.
  const details = error.code === 'INTERNAL' ? undefined : error.details;
  return {
    error: { code: error.code, message: error.message, requestId, ...(details ? { details } : {}) },
  };
}

export function errorHeaders(error: AppError): Record<string, string> {
  const needsRetryAfter: ErrorCode[] = [
    'RATE_LIMITED',
    'SYNC_DAILY_LIMIT_REACHED',
    'SYNC_WEEKLY_LIMIT_REACHED',
  ];
  if (error.retryAfterMs === undefined && !needsRetryAfter.includes(error.code)) return {};
  return { 'retry-after': String(Math.max(1, Math.ceil((error.retryAfterMs ?? 1000) / 1000))) };
}
