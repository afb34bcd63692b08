/** What can be typed where, as the scripts of all shells need it; made from the descriptions of the commands. */
import type { Command, OptionDescription } from '../command.ts';
import { globalOptions } from '../global-options.ts';

export interface CompletedOption {
  /** `-y` and `--yes`. */
  readonly flags: readonly string[];
  readonly summary: string;
  readonly takesValue: boolean;
  /** All that the value can be; empty when it can be anything. */
  readonly choices: readonly string[];
}

/** A place on the line: nothing typed yet (`''`), a group such as `finding`, a command, or both as `scan` is. */
export interface Place {
  readonly path: string;
  readonly words: readonly { readonly word: string; readonly summary: string }[];
  readonly options: readonly CompletedOption[];
}

const help: CompletedOption = {
  flags: ['--help'],
  summary: 'Explain a command',
  takesValue: false,
  choices: [],
};

export function placesOf(commands: readonly Command[]): Place[] {
  const everywhere = [...globalOptions.map(completed), help];
  const version = { ...help, flags: ['--version'], summary: 'Print the version' };
  const root: Place = { path: '', words: firstWords(commands), options: [...everywhere, version] };
  const groups = new Set(
    commands.flatMap(({ name }) => (name.includes(' ') ? [name.split(' ')[0] ?? ''] : [])),
  );
  const within = (group: string) =>
    commands
      .filter(({ name }) => name.startsWith(`${group} `))
      .map(({ name, summary }) => ({ word: name.slice(group.length + 1), summary }));
  const groupPlaces = [...groups]
    .filter((group) => commands.every(({ name }) => name !== group))
    .map((group) => ({ path: group, words: within(group), options: everywhere }));
  const commandPlaces = commands.map((command) => ({
    path: command.name,
    words: [
      ...within(command.name),
      ...(command.arguments ?? []).flatMap(({ choices = [], summary }) =>
        choices.map((word) => ({ word, summary })),
      ),
    ],
    options: [...(command.options ?? []).map(completed), ...everywhere],
  }));
  return [root, ...groupPlaces, ...commandPlaces];
}

function firstWords(commands: readonly Command[]): Place['words'] {
  const words = new Map<string, string>();
  for (const { name, summary } of commands) {
    const [first = '', ...rest] = name.split(' ');
    if (rest.length === 0) words.set(first, summary);
    else if (!words.has(first)) words.set(first, `Commands about a ${first}`);
  }
  return [...words].map(([word, summary]) => ({ word, summary }));
}

function completed({ form, summary, choices = [] }: OptionDescription): CompletedOption {
  const flags = form.split(/[ ,]+/).filter((part) => part.startsWith('-'));
  return { flags, summary, choices, takesValue: form.includes('<') || form.includes('[') };
}
