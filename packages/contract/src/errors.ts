/** Every error code of the API: its HTTP status, whether a client may retry, and its default message. */

/**
 * When a client may retry a failed call: after a delay, only once, after the quota resets, at its next poll, or never.
 * After `never` it must change the request first; after `never-reauthenticate` it must sign in again.
 */
export type RetryAdvice =
  | 'after-backoff'
  | 'once'
  | 'after-reset'
  | 'poll'
  | 'never'
  | 'never-reauthenticate';

interface ErrorDefinition {
  /** The status, unless the error names another of `statuses`. */
  readonly status: number;
  readonly statuses?: readonly number[];
  readonly retry: RetryAdvice;
  readonly message: string;
}

const definitions = {
  BAD_REQUEST: {
    status: 400,
    statuses: [400, 408, 413, 415, 417, 431],
    retry: 'never',
    message: 'The request can’t be read. Check its syntax, content type and size.',
  },
  VALIDATION_FAILED: {
    status: 422,
    retry: 'never',
    message: 'Some fields are missing, unknown or out of bounds. See details.issues.',
  },
  UNAUTHENTICATED: {
    status: 401,
    retry: 'never-reauthenticate',
    message: 'Not signed in. Sign in, or link this device, and try again.',
  },
  FORBIDDEN: { status: 403, retry: 'never', message: 'You are not allowed to do this.' },
  NOT_FOUND: { status: 404, retry: 'never', message: 'Not found, or you have no access to it.' },
  CONFLICT: { status: 409, retry: 'never', message: 'The current state does not allow this.' },
  RATE_LIMITED: {
    status: 429,
    retry: 'after-backoff',
    message: 'Too many attempts. Wait for the time in Retry-After.',
  },
  INTERNAL: {
    status: 500,
    statuses: [500, 503],
    retry: 'once',
    message: 'Internal error. If it happens again, give the operator the request ID.',
  },
  DEVICE_LINK_EXPIRED: {
    status: 410,
    retry: 'never',
    message: 'This device link has expired. Start again from the terminal.',
  },
  DEVICE_LINK_ALREADY_CONSUMED: {
    status: 409,
    retry: 'never',
    message: 'This device link was already used. Start again from the terminal.',
  },
  DEVICE_LINK_NOT_APPROVED: {
    status: 409,
    retry: 'poll',
    message: 'This device link is waiting for approval in a browser.',
  },
  DEVICE_REVOKED: {
    status: 401,
    retry: 'never-reauthenticate',
    message: 'This device was revoked. Link it again to continue.',
  },
  SYNC_DAILY_LIMIT_REACHED: {
    status: 429,
    retry: 'after-reset',
    message: 'Daily limit of cloud reports reached. It resets at details.daily.resetsAt.',
  },
  SYNC_WEEKLY_LIMIT_REACHED: {
    status: 429,
    retry: 'after-reset',
    message: 'Weekly limit of cloud reports reached. It resets at details.weekly.resetsAt.',
  },
  REPORT_EXPIRED: {
    status: 410,
    retry: 'never',
    message: 'This report has expired and its content was deleted.',
  },
  REPORT_SCHEMA_UNSUPPORTED: {
    status: 422,
    retry: 'never',
    message: 'This version of the report schema is not supported.',
  },
  UNSAFE_PAYLOAD_REJECTED: {
    status: 422,
    retry: 'never',
    message: 'Rejected: the payload contains unsafe content. See details.issues.',
  },
  SHARE_PASSWORD_REQUIRED: { status: 401, retry: 'never', message: 'This share link requires a password.' },
  SHARE_NOT_AVAILABLE: { status: 404, retry: 'never', message: 'This share link is not available.' },
  CLIENT_VERSION_REVOKED: {
    status: 403,
    retry: 'never',
    message: 'This version of the client was revoked. Update it.',
  },
  CLIENT_VERSION_TOO_OLD: {
    status: 403,
    retry: 'never',
    message: 'This version of the client is too old. Update it.',
  },
  SUPPORT_GRANT_REQUIRED: {
    status: 403,
    retry: 'never',
    message: 'Reading this report requires an active support grant.',
  },
} as const satisfies Record<string, ErrorDefinition>;

export type ErrorCode = keyof typeof definitions;

export const errors: Readonly<Record<ErrorCode, ErrorDefinition>> = definitions;
export const errorCodes = Object.keys(definitions) as ErrorCode[];

/** One problem of a request: its path as a JSON pointer into the body, query or path parameters, and a message. */
export interface Issue {
  readonly path: string;
  readonly message: string;
  /** Which kind of rule is broken; in UNSAFE_PAYLOAD_REJECTED only. */
  readonly rule?: IssueRule;
}

/** A client can redact what breaks `secret`. The others are faults of the client. */
export type IssueRule = 'counts' | 'duplicate' | 'schema' | 'secret' | 'tag';

export interface ErrorEnvelope<Code extends string = ErrorCode> {
  readonly error: {
    readonly code: Code;
    readonly message: string;
    /** Unique for each response; also the header `x-request-id` and the id in the server's log. */
    readonly requestId: string;
    readonly details?: Readonly<Record<string, unknown>>;
  };
}
