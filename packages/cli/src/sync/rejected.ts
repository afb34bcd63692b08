/**
 * Turns a rejection of a report into a sentence, the next step and the exit code. In each case the report stays on this
 * machine.
 */
import type { Failure } from '@svc/client';
import { REPORT_SCHEMA_VERSION, type ErrorCode } from '@svc/contract';
import { LOGIN } from '../connection/link-hint.ts';
import { rejection } from '../connection/rejection.ts';
import { CliError, type CliErrorOptions } from '../errors.ts';
import type { SyncContext } from './context.ts';

export function rejected(
  outcome: Failure<string>,
  { connection: { origin } }: Pick<SyncContext, 'connection'>,
  localReportId: string,
): CliError {
  const { error } = outcome;
  const code = error.code as ErrorCode;
  const given: CliErrorOptions = { code, requestId: error.requestId };
  switch (code) {
    case 'REPORT_EXPIRED':
      return new CliError('failed', 'The report expired or was deleted in the service.', {
        ...given,
        hint: `It stays on this machine: svc report show --report ${localReportId}`,
      });
    case 'NOT_FOUND':
      return new CliError(
        'failed',
        'Your account has no access to this report: you may have left its workspace, or linked another account.',
        { ...given, hint: 'The report stays on this machine. Check the linked account: svc whoami' },
      );
    case 'REPORT_SCHEMA_UNSUPPORTED':
      return new CliError(
        'failed',
        `The service does not accept reports of version ${REPORT_SCHEMA_VERSION}.`,
        {
          ...given,
          hint: 'The report stays on this machine. Update svc (svc update apply) or the service, then run svc sync.',
        },
      );
    default:
      return kept(rejection(outcome, origin));
  }
}

/** The same failure, which also says where the report is now. */
export function kept(error: CliError): CliError {
  const { reason, message, hint, details, code, requestId, retryAfterMs, cause } = error;
  if (reason === 'failed' || hint?.includes('svc sync')) return error;
  const next = {
    unauthenticated:
      hint === LOGIN
        ? 'The report stays on this machine. Link this machine with svc login, then run svc sync.'
        : 'The report stays on this machine. Run svc sync with a valid credential.',
    quotaReached: 'The report stays on this machine. Run svc sync when the quota has reset.',
  }[reason as string];
  const known = hint === undefined || hint === LOGIN ? '' : `${hint} `;
  return new CliError(reason, message, {
    hint: `${known}${next ?? 'The report stays on this machine: run svc sync.'}`,
    details,
    ...(code && { code }),
    ...(requestId !== undefined && { requestId }),
    ...(retryAfterMs !== undefined && { retryAfterMs }),
    cause,
  });
}
