/** Help, generated from the descriptions of the commands, so that the two cannot differ. It loads no command. */
import type { ArgumentDescription, Command, OptionDescription } from './command.ts';
import { globalOptions } from './global-options.ts';
import type { Colours } from './terminal/colours.ts';

const PURPOSE = 'Creates security reports of a repository, and shares them safely.';

/** The default width of a terminal. */
const WIDTH = 80;

type Row = readonly [left: string, right: string];

export function rootHelp(commands: readonly Command[], colours: Colours): string[] {
  return [
    PURPOSE,
    '',
    ...section('Usage', ['svc <command> [options]'], colours),
    ...table(
      'Commands',
      commands.map(({ name, summary }) => [name, summary]),
      colours,
    ),
    ...table(
      'Options',
      [
        ...rows(globalOptions),
        ['-v, --version', 'Print the version'],
        ['-h, --help', 'Explain a command: svc <command> --help'],
      ],
      colours,
    ),
    ...examples(
      [
        { command: 'svc login', does: 'Link this machine to your account' },
        { command: 'svc init', does: 'Bind this repository to a workspace' },
        { command: 'svc whoami --json', does: 'Show the linked account, for a script' },
      ],
      colours,
    ),
    'Exit codes, environment variables and file locations: docs/CLI.md',
  ];
}

export function groupHelp(group: string, members: readonly Command[], colours: Colours): string[] {
  return [
    ...section('Usage', [`svc ${group} <command> [options]`], colours),
    ...table(
      'Commands',
      members.map(({ name, summary }) => [name, summary]),
      colours,
    ),
    ...examples(
      members.flatMap((member) => member.examples.slice(0, 1)),
      colours,
    ).slice(0, -1),
  ];
}

export function commandHelp(command: Command, colours: Colours): string[] {
  const own = command.options ?? [];
  const taken = command.arguments ?? [];
  const usages = [command.name, ...(command.aliases ?? [])].map((name) =>
    ['svc', name, ...taken.map(({ form }) => form), '[options]'].join(' '),
  );
  return [
    `${command.summary}.`,
    '',
    ...(command.description === undefined ? [] : [...wrapped(command.description, WIDTH), '']),
    ...section('Usage', usages, colours),
    ...table('Arguments', rows(taken), colours),
    ...table('Options', rows(own), colours),
    ...table('For every command', [...rows(globalOptions), ['-h, --help', 'Show this help']], colours),
    ...examples(command.examples, colours).slice(0, -1),
  ];
}

/** An option or an argument, with its allowed values. */
function rows(described: readonly (OptionDescription | ArgumentDescription)[]): Row[] {
  return described.map(({ form, summary, choices }) => [
    form,
    choices === undefined ? summary : `${summary} (${choices.join(', ')})`,
  ]);
}

function section(title: string, lines: readonly string[], { bold }: Colours): string[] {
  return lines.length === 0 ? [] : [bold(title), ...lines.map((line) => `  ${line}`), ''];
}

function table(title: string, entries: readonly Row[], colours: Colours): string[] {
  const width = Math.max(0, ...entries.map(([left]) => left.length));
  return section(
    title,
    entries.flatMap(([left, right]) => {
      const [first = '', ...more] = wrapped(right, WIDTH - width - 4);
      const indent = ' '.repeat(width + 2);
      return [`${colours.cyan(left.padEnd(width))}  ${first}`, ...more.map((line) => `${indent}${line}`)];
    }),
    colours,
  );
}

function examples(given: Command['examples'], colours: Colours): string[] {
  const lines = given.flatMap(({ command, does }) => [colours.dim(`# ${does}`), `$ ${command}`]);
  return section('Examples', lines, colours);
}

function wrapped(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(/\s+/)) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= width) {
      lines[lines.length - 1] = `${last} ${word}`;
    } else {
      lines.push(word);
    }
  }
  return lines;
}
