/** The error that ends a command: a sentence for the person, the next step, and an exit code that scripts can rely on. */
import type { ErrorCode } from '@svc/contract';

/** Stable: scripts branch on them. */
export const exitCodes = {
  done: 0,
  failed: 1,
  /** A finding, a report, a file or a release is invalid, and was not stored or installed. */
  rejected: 2,
  /** Invalid command line. */
  usage: 3,
  /** No credential, or one that the service rejects: `svc login`. */
  unauthenticated: 4,
  /** The service is unreachable or failed; unsent data is kept: `svc sync`. */
  unavailable: 5,
  /** The quota of cloud reports is used up. */
  quotaReached: 6,
  /** A gate (`--fail-on`, `--fail-on-new`) found findings. */
  gateFailed: 7,
  /**
   * A gate applies, and a scanner failed, did not run or left something out. A gate cannot pass what was not scanned.
   */
  incomplete: 8,
  interrupted: 130,
} as const;
export type ExitReason = keyof typeof exitCodes;

/** The codes for scripts: the service's own codes, and those of manifest/rejections.ts. */
export type FailureCode = ErrorCode | `${'MANIFEST' | 'ARTIFACT' | 'UPDATE'}_${string}`;

export interface CliErrorOptions {
  /** What to do next; one sentence or a command. */
  readonly hint?: string;
  /** One line each, such as what is wrong with a finding. */
  readonly details?: readonly string[];
  /** The service's code if the service rejected the call; the rule's code if a release was rejected. */
  readonly code?: FailureCode;
  readonly requestId?: string;
  /** From the service's `Retry-After`. */
  readonly retryAfterMs?: number;
  readonly cause?: unknown;
}

export class CliError extends Error {
  override readonly name = 'CliError';
  readonly reason: Exclude<ExitReason, 'done'>;
  readonly hint: string | undefined;
  readonly details: readonly string[];
  readonly code: FailureCode | undefined;
  readonly requestId: string | undefined;
  readonly retryAfterMs: number | undefined;

  constructor(reason: Exclude<ExitReason, 'done'>, message: string, options: CliErrorOptions = {}) {
    super(message, { cause: options.cause });
    this.reason = reason;
    this.hint = options.hint;
    this.details = options.details ?? [];
    this.code = options.code;
    this.requestId = options.requestId;
    this.retryAfterMs = options.retryAfterMs;
  }
}
