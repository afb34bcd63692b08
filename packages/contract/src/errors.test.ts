import { describe, expect, test } from 'vitest';
import { errorCodes, errors, type ErrorCode, type RetryAdvice } from './errors.ts';

/** Status and retry guidance of each code; a missing code does not compile. */
const wanted: Record<ErrorCode, readonly [statuses: readonly number[], retry: RetryAdvice]> = {
  BAD_REQUEST: [[400, 408, 413, 415, 417, 431], 'never'],
  VALIDATION_FAILED: [[422], 'never'],
  UNAUTHENTICATED: [[401], 'never-reauthenticate'],
  FORBIDDEN: [[403], 'never'],
  NOT_FOUND: [[404], 'never'],
  CONFLICT: [[409], 'never'],
  RATE_LIMITED: [[429], 'after-backoff'],
  INTERNAL: [[500, 503], 'once'],
  DEVICE_LINK_EXPIRED: [[410], 'never'],
  DEVICE_LINK_ALREADY_CONSUMED: [[409], 'never'],
  DEVICE_LINK_NOT_APPROVED: [[409], 'poll'],
  DEVICE_REVOKED: [[401], 'never-reauthenticate'],
  SYNC_DAILY_LIMIT_REACHED: [[429], 'after-reset'],
  SYNC_WEEKLY_LIMIT_REACHED: [[429], 'after-reset'],
  REPORT_EXPIRED: [[410], 'never'],
  REPORT_SCHEMA_UNSUPPORTED: [[422], 'never'],
  UNSAFE_PAYLOAD_REJECTED: [[422], 'never'],
  SHARE_PASSWORD_REQUIRED: [[401], 'never'],
  SHARE_NOT_AVAILABLE: [[404], 'never'],
  CLIENT_VERSION_REVOKED: [[403], 'never'],
  CLIENT_VERSION_TOO_OLD: [[403], 'never'],
  SUPPORT_GRANT_REQUIRED: [[403], 'never'],
};

describe('error codes', () => {
  test('[D2] are the specified ones and no others', () => {
    expect(errorCodes.toSorted()).toEqual(Object.keys(wanted).toSorted());
    expect(errorCodes).toHaveLength(22);
  });

  test.each(errorCodes)('[D2] %s has its statuses and its retry guidance', (code) => {
    const { status, statuses = [status], retry } = errors[code];
    expect([statuses, retry]).toEqual(wanted[code]);
    expect(status).toBe(wanted[code][0][0]);
  });

  test.each(errorCodes)('[D2] %s has a sentence for people', (code) => {
    expect(errors[code].message).toMatch(/^[A-Z][^\n]{10,150}\.$/);
    expect(errors[code].message).not.toMatch(/undefined|null|exception|stack|SQL/i);
  });
});
