/** What ends a command: a sentence for the person, the next step, and an exit code that scripts can rely on. */
import type { ErrorCode } from '@svc/contract';

/** Stable: scripts branch on them. */
export const exitCodes = {
  done: 0,
  failed: 1,
  /** A finding, a report, a file or a release is not acceptable; nothing was stored or installed. */
  rejected: 2,
  /** The command line can not be understood. */
  usage: 3,
  /** No credential, or one that the service refuses: `svc login`. */
  unauthenticated: 4,
  /** The service can not be reached or failed; what was to be sent is kept: `svc sync`. */
  unavailable: 5,
  /** The quota of cloud reports is used up. */
  quotaReached: 6,
  /** There are findings that a gate (`--fail-on`, `--fail-on-new`) does not let through. */
  gateFailed: 7,
  interrupted: 130,
} as const;
export type ExitReason = keyof typeof exitCodes;

/** What scripts branch on: the service's own codes, and those of manifest/refusals.ts. */
export type FailureCode = ErrorCode | `${'MANIFEST' | 'ARTIFACT' | 'UPDATE'}_${string}`;

export interface CliErrorOptions {
  /** What to do next; one sentence or a command. */
  readonly hint?: string;
  /** One line each, such as what is wrong with a finding. */
  readonly details?: readonly string[];
  /** The service's code, where it was the service that refused; that of the rule, where a release was. */
  readonly code?: FailureCode;
  readonly requestId?: string;
  readonly cause?: unknown;
}

export class CliError extends Error {
  override readonly name = 'CliError';
  readonly reason: Exclude<ExitReason, 'done'>;
  readonly hint: string | undefined;
  readonly details: readonly string[];
  readonly code: FailureCode | undefined;
  readonly requestId: string | undefined;

  constructor(reason: Exclude<ExitReason, 'done'>, message: string, options: CliErrorOptions = {}) {
    super(message, { cause: options.cause });
    this.reason = reason;
    this.hint = options.hint;
    this.details = options.details ?? [];
    this.code = options.code;
    this.requestId = options.requestId;
  }
}
