/** The error by which features answer a request: a code of the contract, and what the client may know about it. */
import { errors, type ErrorCode, type Issue } from '@svc/contract';

export interface AppErrorOptions {
  /** Replaces the default sentence of the code. Never contains a secret. */
  readonly message?: string;
  readonly details?: Readonly<Record<string, unknown>>;
  /** Another allowed status of the code, such as 413 for BAD_REQUEST. */
  readonly status?: number;
  /** Becomes `Retry-After`. */
  readonly retryAfterMs?: number;
  /** The cause, for the log only. */
  readonly cause?: unknown;
}

export class AppError extends Error {
  override readonly name = 'AppError';
  readonly code: ErrorCode;
  readonly status: number;
  readonly details: Readonly<Record<string, unknown>> | undefined;
  readonly retryAfterMs: number | undefined;

  constructor(code: ErrorCode, options: AppErrorOptions = {}) {
    super(options.message ?? errors[code].message, { cause: options.cause });
    this.code = code;
    this.status = options.status ?? errors[code].status;
    this.details = options.details;
    this.retryAfterMs = options.retryAfterMs;
  }
}

/** The error of a request whose fields can be parsed but have invalid values. */
export function validationFailed(...issues: Issue[]): AppError {
  return new AppError('VALIDATION_FAILED', { details: { issues } });
}
