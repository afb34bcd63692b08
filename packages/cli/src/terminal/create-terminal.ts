/**
 * The terminal of a process, or of a test: two outputs, and an input for prompts. Streams are created when they are needed,
 * because merely reading `process.stdout` creates one.
 */
import type { Process } from '../process.ts';
import { createColours, wantsColours, type Colours } from './colours.ts';
import type { Output } from './output.ts';
import { printable, printableJson, printableLine } from './safe-text.ts';
import { createProgress, ERASE_LINE, silentProgress } from './progress.ts';
import { createQuestions, rejectedQuestions } from './questions.ts';
import type { Terminal } from './terminal.ts';

export interface TerminalOptions {
  readonly json: boolean;
  readonly quiet: boolean;
  readonly noColor: boolean;
}

/** A terminal that also knows whether its only result was printed. */
export interface OwnTerminal extends Terminal {
  readonly hasResult: () => boolean;
}

export function createTerminal({ json, quiet, noColor }: TerminalOptions, process: Process): OwnTerminal {
  const { environment, output, notes } = process;
  const coloursOf = (stream: Output) =>
    once(() =>
      createColours(
        wantsColours({ rejected: noColor, environment, isTerminal: () => stream.isTTY === true }),
      ),
    );
  const colours = coloursOf(output);
  const noteColours = coloursOf(notes);
  const isInteractive = once(
    () => !json && !isSet(environment['CI']) && process.input.isTTY === true && notes.isTTY === true,
  );
  // The terminal of a CI job is a log, which keeps each drawing as a line.
  const isDrawn = once(
    () => notes.isTTY === true && !isSet(environment['CI']) && environment['TERM'] !== 'dumb',
  );
  const questions = once(() => (isInteractive() ? createQuestions(process.signal) : rejectedQuestions));
  let given = false;

  let drawn = 0;

  // Replaces the bar, which is drawn again below.
  const write = (safe: string) => void notes.write(`${drawn > 0 && isDrawn() ? ERASE_LINE : ''}${safe}\n`);
  const say = (line: string) => write(printableLine(line));

  return {
    isJson: json,
    get isInteractive(): boolean {
      return isInteractive();
    },
    get colours(): Colours {
      return colours();
    },
    get columns(): number | undefined {
      return output.isTTY === true ? (output.columns ?? 80) : undefined;
    },
    get noteColours(): Colours {
      return noteColours();
    },
    get ask() {
      return questions();
    },
    hasResult: () => given,
    result(value, lines) {
      if (given) throw new Error('A command has one result.');
      given = true;
      const text = json ? [printableJson(value)] : lines().map(printableLine);
      if (text.length > 0) output.write(`${text.join('\n')}\n`);
    },
    document(content) {
      given = true;
      output.write(output.isTTY === true ? printable(content) : content);
    },
    part(value, lines) {
      given = true;
      for (const line of json ? [printableJson(value, 0)] : lines().map(printableLine))
        output.write(`${line}\n`);
    },
    note(line) {
      if (!json && !quiet) say(line);
    },
    warn: (line) => say(`${noteColours().yellow('!')} ${line}`),
    announce(value, lines) {
      if (json) write(printableJson(value, 0));
      else for (const line of lines()) say(line);
    },
    progress(label, total) {
      if (json || quiet) return silentProgress;
      const { update, succeed, fail } = createProgress(notes, noteColours(), {
        label,
        total,
        isDrawn: isDrawn(),
      });
      drawn += 1;
      const end = (how: (line: string) => void) => (line: string) => {
        drawn -= 1;
        how(line);
      };
      return { update, succeed: end(succeed), fail: end(fail) };
    },
  };
}

function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined;
  return () => (made ??= { value: make() }).value;
}

function isSet(value: string | undefined): boolean {
  return value !== undefined && !['', '0', 'false'].includes(value);
}
