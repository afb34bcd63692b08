/** Help, generated from the descriptions of the commands. It loads no command. */
import type { Command, Described } from './command.ts';
import { globalOptions } from './global-options.ts';

const WIDTH = 80;
const HELP: Described = { form: '-h, --help', summary: 'Show this help' };

type Row = readonly [left: string, right: string];

export function rootHelp(commands: readonly Command[]): string[] {
  return [
    'Runs the service, or a command for its operator.',
    '',
    ...section('Usage', ['svc-server', 'svc-server <command> [options]']),
    'Without a command, the service starts.',
    '',
    ...table(
      'Commands',
      commands.map(({ name, summary }) => [name, summary]),
    ),
    ...table('Options', [
      ['-h, --help', 'Explain a command: svc-server <command> --help'],
      ['--version', 'Print the version'],
    ]),
    ...wrapped(
      'The commands read the same environment variables as the service: docs/OPERATING.md explains them.',
      WIDTH,
    ),
  ];
}

export function commandHelp(command: Command): string[] {
  const { summary, description, arguments: taken = [], options = [], examples, exitCodes } = command;
  return [
    `${summary}.`,
    '',
    ...wrapped(description, WIDTH),
    '',
    ...section('Usage', [usageOf(command)]),
    ...table('Arguments', rows(taken)),
    ...table('Options', rows(options)),
    ...table('For every command', rows([...globalOptions, HELP])),
    ...table('Exit codes', Object.entries(exitCodes)),
    ...section(
      'Examples',
      examples.map((example) => `$ ${example}`),
    ).slice(0, -1),
  ];
}

export function usageOf({ name, arguments: taken = [], options = [] }: Command): string {
  const optional = options.map(({ form }) => `[${form}]`);
  return ['svc-server', name, ...taken.map(({ form }) => form), ...optional].join(' ');
}

const rows = (described: readonly Described[]): Row[] =>
  described.map(({ form, summary }) => [form, summary]);

function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [title, ...lines.map((line) => `  ${line}`), ''];
}

function table(title: string, entries: readonly Row[]): string[] {
  const width = Math.max(0, ...entries.map(([left]) => left.length));
  return section(
    title,
    entries.flatMap(([left, right]) => {
      const [first = '', ...more] = wrapped(right, WIDTH - width - 4);
      return [`${left.padEnd(width)}  ${first}`, ...more.map((line) => `${' '.repeat(width + 2)}${line}`)];
    }),
  );
}

function wrapped(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(/\s+/)) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= width)
      lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}
