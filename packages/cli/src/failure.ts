/**
 * Prints a failure. People read a sentence, its details and the next step on standard error. With `--json`, the failure
 * is one object on standard output, or on standard error if the command has already printed its result.
 */
import type { Environment } from './environment.ts';
import { CliError } from './errors.ts';
import type { OwnTerminal } from './terminal/create-terminal.ts';
import { printable, printableJson, printableLine, safeLine } from './terminal/safe-text.ts';
import type { Output } from './terminal/output.ts';

export interface FailureJson {
  readonly error: {
    readonly reason: CliError['reason'];
    readonly message: string;
    /** The service's code if the service rejected the call; the rule's code if a release was rejected. */
    readonly code?: string;
    readonly details?: readonly string[];
    readonly hint?: string;
    /** The id of the request, for the operator of the service. */
    readonly requestId?: string;
  };
}

export function showFailure(
  error: unknown,
  terminal: OwnTerminal,
  { output, notes, environment }: { output: Output; notes: Output; environment: Environment },
): void {
  const known = error instanceof CliError ? error : unexpected(error, environment);
  if (terminal.isJson) {
    const stream = terminal.hasResult() ? notes : output;
    stream.write(`${printableJson(failureJson(known))}\n`);
  } else {
    for (const line of failureLines(known, terminal)) notes.write(`${printableLine(line)}\n`);
  }
  if (environment['SVC_DEBUG'] && error instanceof Error) notes.write(`${printable(stacks(error))}\n`);
}

/** A bug or a system error: one line; the stack only with SVC_DEBUG. */
function unexpected(error: unknown, environment: Environment): CliError {
  const message = error instanceof Error ? error.message : String(error);
  return new CliError('failed', `Unexpected error: ${message.split('\n')[0]}`, {
    ...(!environment['SVC_DEBUG'] && { hint: 'Run it again with SVC_DEBUG=1 to see where.' }),
    cause: error,
  });
}

function failureJson({ reason, message, code, details, hint, requestId }: CliError): FailureJson {
  return {
    error: {
      reason,
      message,
      ...(code === undefined ? {} : { code }),
      ...(details.length === 0 ? {} : { details }),
      ...(hint === undefined ? {} : { hint }),
      ...(requestId === undefined ? {} : { requestId }),
    },
  };
}

function failureLines(
  { message, code, details, hint, requestId }: CliError,
  terminal: OwnTerminal,
): string[] {
  const { red, dim, bold } = terminal.noteColours;
  const origin = [code, requestId === undefined ? undefined : `request ${requestId}`].filter(Boolean);
  return [
    `${red('✗')} ${bold(safeLine(message))}`,
    ...details.map((detail) => `  ${safeLine(detail)}`),
    ...(hint === undefined ? [] : [`  ${dim('→')} ${safeLine(hint)}`]),
    ...(origin.length === 0 ? [] : [`  ${dim(safeLine(origin.join(', ')))}`]),
  ];
}

/** The stacks of the error and all its causes. They contain only messages and code positions, never a credential. */
function stacks(error: Error): string {
  const cause = error.cause instanceof Error ? `\nCaused by: ${stacks(error.cause)}` : '';
  const stack = error.stack ?? '';
  const calls = stack.indexOf('\n    at ');
  return `${error.name}: ${safeLine(error.message)}${calls === -1 ? '' : stack.slice(calls)}${cause}`;
}
