/** Every error code of the API: its HTTP status, what a client may do about it, and the sentence said by default. */

/**
 * What a client does with a failed call: send it again after a pause, once, when the quota window turns, as the polling
 * loop, or never as it stands.
 */
export type RetryAdvice =
  | 'after-backoff'
  | 'once'
  | 'after-reset'
  | 'poll'
  | 'never'
  | 'never-reauthenticate';

interface ErrorDefinition {
  /** The status, unless the refusal names another of `statuses`. */
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
    message: 'The request can not be read. Check its form, its content type and its size.',
  },
  VALIDATION_FAILED: {
    status: 422,
    retry: 'never',
    message: 'Some fields are missing, unknown or out of bounds; details.issues names them.',
  },
  UNAUTHENTICATED: {
    status: 401,
    retry: 'never-reauthenticate',
    message: 'Sign in, or link this device, and try again.',
  },
  FORBIDDEN: { status: 403, retry: 'never', message: 'You are not allowed to do this.' },
  NOT_FOUND: { status: 404, retry: 'never', message: 'There is nothing here that you can see.' },
  CONFLICT: { status: 409, retry: 'never', message: 'The present state does not allow this.' },
  RATE_LIMITED: {
    status: 429,
    retry: 'after-backoff',
    message: 'Too many attempts. Wait for the time that Retry-After names.',
  },
  INTERNAL: {
    status: 500,
    statuses: [500, 503],
    retry: 'once',
    message: 'Something failed on our side. If it happens again, give the operator the request id.',
  },
  DEVICE_LINK_EXPIRED: {
    status: 410,
    retry: 'never',
    message: 'This link has expired. Start again from the terminal.',
  },
  DEVICE_LINK_ALREADY_CONSUMED: {
    status: 409,
    retry: 'never',
    message: 'This link was already used. Start again from the terminal.',
  },
  DEVICE_LINK_NOT_APPROVED: {
    status: 409,
    retry: 'poll',
    message: 'This link waits for approval in a browser.',
  },
  DEVICE_REVOKED: {
    status: 401,
    retry: 'never-reauthenticate',
    message: 'This device was revoked. Link it again to go on.',
  },
  SYNC_DAILY_LIMIT_REACHED: {
    status: 429,
    retry: 'after-reset',
    message: 'The daily number of cloud reports is used up; details.daily.resetsAt says when it starts anew.',
  },
  SYNC_WEEKLY_LIMIT_REACHED: {
    status: 429,
    retry: 'after-reset',
    message:
      'The weekly number of cloud reports is used up; details.weekly.resetsAt says when it starts anew.',
  },
  REPORT_EXPIRED: {
    status: 410,
    retry: 'never',
    message: 'This report has passed its retention and was deleted.',
  },
  REPORT_SCHEMA_UNSUPPORTED: {
    status: 422,
    retry: 'never',
    message: 'This version of the report schema is not supported.',
  },
  UNSAFE_PAYLOAD_REJECTED: {
    status: 422,
    retry: 'never',
    message: 'The payload holds something that must not be stored; details.issues says where.',
  },
  SHARE_PASSWORD_REQUIRED: { status: 401, retry: 'never', message: 'This link needs its password.' },
  SHARE_NOT_AVAILABLE: { status: 404, retry: 'never', message: 'This link is not available.' },
  CLIENT_VERSION_REVOKED: {
    status: 403,
    retry: 'never',
    message: 'This version of the client was withdrawn. Update it.',
  },
  CLIENT_VERSION_TOO_OLD: {
    status: 403,
    retry: 'never',
    message: 'This version of the client is too old. Update it.',
  },
  SUPPORT_GRANT_REQUIRED: {
    status: 403,
    retry: 'never',
    message: 'Reading this needs an unexpired support grant.',
  },
} as const satisfies Record<string, ErrorDefinition>;

export type ErrorCode = keyof typeof definitions;

export const errors: Readonly<Record<ErrorCode, ErrorDefinition>> = definitions;
export const errorCodes = Object.keys(definitions) as ErrorCode[];

/** One thing wrong with a request: where, as a JSON pointer into its body, query or path parameters, and what. */
export interface Issue {
  readonly path: string;
  readonly message: string;
}

export interface ErrorEnvelope<Code extends string = ErrorCode> {
  readonly error: {
    readonly code: Code;
    readonly message: string;
    /** Fresh for each answer; also the header `x-request-id` and the id in the server's log. */
    readonly requestId: string;
    readonly details?: Readonly<Record<string, unknown>>;
  };
}
