/**
 * How a failure is said. People read a sentence, its details and the next step on standard error. With `--json` it is one
 * object: on standard output, unless the command's result stands there already, then on standard error.
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
    /** The service's code, where it was the service that refused; that of the rule, where a release was. */
    readonly code?: string;
    readonly details?: readonly string[];
    readonly hint?: string;
    /** For the operator of the service. */
    readonly requestId?: string;
  };
}

export function showFailure(
  error: unknown,
  terminal: OwnTerminal,
  { output, notes, environment }: { output: Output; notes: Output; environment: Environment },
): void {
  const known = error instanceof CliError ? error : unexpected(error);
  if (terminal.isJson) {
    const stream = terminal.hasResult() ? notes : output;
    stream.write(`${printableJson(failureJson(known))}\n`);
  } else {
    for (const line of failureLines(known, terminal)) notes.write(`${printableLine(line)}\n`);
  }
  if (environment['SVC_DEBUG'] && error instanceof Error) notes.write(`${printable(stacks(error))}\n`);
}

/** A bug, or a machine that refuses something: one line; the stack only for those who ask. */
function unexpected(error: unknown): CliError {
  const message = error instanceof Error ? error.message : String(error);
  return new CliError('failed', `Something unexpected happened: ${message.split('\n')[0]}`, {
    hint: 'Run it again with SVC_DEBUG=1 to see where.',
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

/** With all causes. Messages and places in the program only: no credential is ever part of one. */
function stacks(error: Error): string {
  const cause = error.cause instanceof Error ? `\nCaused by: ${stacks(error.cause)}` : '';
  const stack = error.stack ?? '';
  const calls = stack.indexOf('\n    at ');
  return `${error.name}: ${safeLine(error.message)}${calls === -1 ? '' : stack.slice(calls)}${cause}`;
}
