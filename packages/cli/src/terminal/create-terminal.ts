/** The terminal of a process, or of a test: two streams to write to, and one to ask through. */
import { createColours, wantsColours } from './colours.ts';
import { printable, printableJson } from './safe-text.ts';
import { createProgress, silentProgress } from './progress.ts';
import { createQuestions, refusedQuestions } from './questions.ts';
import type { Output } from './output.ts';
import type { Terminal } from './terminal.ts';

export interface TerminalOptions {
  readonly json: boolean;
  readonly quiet: boolean;
  readonly noColor: boolean;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
  readonly input: { readonly isTTY?: boolean };
  readonly output: Output;
  readonly notes: Output;
}

/** A terminal that also knows whether its one result was given. */
export interface OwnTerminal extends Terminal {
  readonly hasResult: () => boolean;
}

export function createTerminal(options: TerminalOptions): OwnTerminal {
  const { json, quiet, noColor, environment, output, notes } = options;
  const coloursOf = (stream: Output) =>
    createColours(wantsColours({ refused: noColor, environment, isTerminal: stream.isTTY === true }));
  const [colours, noteColours] = [coloursOf(output), coloursOf(notes)];
  const isInteractive =
    options.input.isTTY === true && notes.isTTY === true && !json && !isSet(environment['CI']);
  let given = false;

  const say = (line: string) => void notes.write(`${printable(line)}\n`);

  return {
    isJson: json,
    isInteractive,
    colours,
    noteColours,
    hasResult: () => given,
    result(value, lines) {
      if (given) throw new Error('A command has one result.');
      given = true;
      const text = json ? [printableJson(value)] : lines().map(printable);
      if (text.length > 0) output.write(`${text.join('\n')}\n`);
    },
    note(line) {
      if (!json && !quiet) say(line);
    },
    warn(line) {
      say(`${noteColours.yellow('!')} ${line}`);
    },
    tell(value, lines) {
      if (json) say(JSON.stringify(value));
      else for (const line of lines()) say(line);
    },
    progress: (label, total) =>
      json || quiet ? silentProgress : createProgress(notes, noteColours, label, total),
    ask: isInteractive ? createQuestions(options.signal) : refusedQuestions,
  };
}

function isSet(value: string | undefined): boolean {
  return value !== undefined && !['', '0', 'false'].includes(value);
}
