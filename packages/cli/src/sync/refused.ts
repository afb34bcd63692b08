/**
 * What a refusal means for a report that was to be sent: a sentence, the next step, the exit code. In each case the report
 * stays on this machine.
 */
import type { Failure } from '@svc/client';
import { REPORT_SCHEMA_VERSION, type ErrorCode } from '@svc/contract';
import { LOGIN } from '../connection/link-hint.ts';
import { refusal } from '../connection/refusal.ts';
import { CliError, type CliErrorOptions } from '../errors.ts';
import type { SyncContext } from './context.ts';

export function refused(
  outcome: Failure<string>,
  { connection: { origin } }: Pick<SyncContext, 'connection'>,
  localReportId: string,
): CliError {
  const { error } = outcome;
  const code = error.code as ErrorCode;
  const given: CliErrorOptions = { code, requestId: error.requestId };
  switch (code) {
    case 'REPORT_EXPIRED':
      return new CliError(
        'failed',
        'The report is gone in the service: its time was over, or it was deleted there.',
        { ...given, hint: `It stays on this machine: svc report show --report ${localReportId}` },
      );
    case 'NOT_FOUND':
      return new CliError(
        'failed',
        'The service shows no such report to your account: you may have left its workspace, or linked another account.',
        { ...given, hint: 'See who is linked: svc whoami. The report stays on this machine.' },
      );
    case 'REPORT_SCHEMA_UNSUPPORTED':
      return new CliError(
        'failed',
        `The service does not take reports of version ${REPORT_SCHEMA_VERSION}.`,
        {
          ...given,
          hint: 'Update svc, and run svc sync. The report stays on this machine.',
        },
      );
    default:
      return kept(refusal(outcome, origin));
  }
}

/** The same failure, with where the report is now. */
export function kept(error: CliError): CliError {
  const { reason, message, hint, details, code, requestId, cause } = error;
  if (reason === 'failed' || hint?.includes('svc sync')) return error;
  const next = {
    unauthenticated:
      hint === LOGIN
        ? 'The report stays on this machine: link it with svc login, then run svc sync.'
        : 'The report stays on this machine: run svc sync then.',
    quotaReached: 'The report stays on this machine: run svc sync then.',
  }[reason as string];
  const known = hint === undefined || hint === LOGIN ? '' : `${hint} `;
  return new CliError(reason, message, {
    hint: `${known}${next ?? 'The report stays on this machine: run svc sync.'}`,
    details,
    ...(code && { code }),
    ...(requestId !== undefined && { requestId }),
    cause,
  });
}
