/** What can be typed where, for the scripts of all shells; derived from the descriptions of the commands. */
import type { ArgumentDescription, Command, Completes, OptionDescription } from '../command.ts';
import { globalOptions } from '../global-options.ts';

/** The possible values of an option or argument. */
export interface ValueCompletion {
  /** The allowed values; empty when they are not a closed list. */
  readonly choices: readonly string[];
  /** The kind of values to look up; absent when there is nothing to look up. */
  readonly kind?: Exclude<Completes, 'scanners'>;
  /** Several values, separated by commas. */
  readonly isList: boolean;
}

export interface CompletedArgument extends ValueCompletion {
  readonly summary: string;
}

export interface CompletedOption {
  /** `-y` and `--yes`. */
  readonly flags: readonly string[];
  readonly summary: string;
  /** Undefined when it takes no value. */
  readonly value: ValueCompletion | undefined;
  /** Takes all words up to the next option. */
  readonly isVariadic: boolean;
}

/** A position on the line: nothing typed yet (`''`), a group such as `finding`, a command, or both, such as `scan`. */
export interface CompletionContext {
  readonly path: string;
  readonly words: readonly { readonly word: string; readonly summary: string }[];
  /** The arguments in their order. */
  readonly arguments: readonly CompletedArgument[];
  readonly options: readonly CompletedOption[];
}

const help: CompletedOption = {
  flags: ['-h', '--help'],
  summary: 'Explain a command',
  value: undefined,
  isVariadic: false,
};

/** @param scanners the names that an option for scanners accepts. */
export function placesOf(
  commands: readonly Command[],
  scanners: readonly string[] = [],
): CompletionContext[] {
  const option = (described: OptionDescription) => completed(described, scanners);
  const everywhere = [...globalOptions.map(option), help];
  const version = { ...help, flags: ['-v', '--version'], summary: 'Print the version' };
  const named = commands.flatMap((command) =>
    [command.name, ...(command.aliases ?? [])].map((name) => ({ name, command })),
  );
  const firsts = firstWords(named);
  const within = (group: string) =>
    named
      .filter(({ name }) => name.startsWith(`${group} `))
      .map(({ name, command: { summary } }) => ({ word: name.slice(group.length + 1), summary }));
  const groups = [...new Set(named.flatMap(({ name }) => (name.includes(' ') ? [firstOf(name)] : [])))];
  const empty = { arguments: [], options: everywhere };
  const helpWord = { word: 'help', summary: 'Explain a command' };
  return [
    { path: '', words: [...firsts, helpWord], arguments: [], options: [...everywhere, version] },
    { ...empty, path: 'help', words: firsts },
    ...groups.map((group) => ({ ...empty, path: `help ${group}`, words: within(group) })),
    ...groups
      .filter((group) => named.every(({ name }) => name !== group))
      .map((group) => ({ ...empty, path: group, words: within(group) })),
    ...named.map(({ name, command }) => ({
      path: name,
      words: within(name),
      arguments: (command.arguments ?? []).map((argument) => ({
        ...valuesOf(argument, scanners),
        summary: argument.summary,
      })),
      options: [...(command.options ?? []).map(option), ...everywhere],
    })),
  ];
}

function firstOf(name: string): string {
  return name.split(' ')[0] ?? '';
}

type NamedCommand = readonly { readonly name: string; readonly command: Command }[];

function firstWords(named: NamedCommand): CompletionContext['words'] {
  const words = new Map<string, string>();
  for (const { name, command } of named) {
    const first = firstOf(name);
    if (name === first) words.set(first, command.summary);
    else if (!words.has(first)) words.set(first, `Commands for ${groupSubjects[first] ?? `a ${first}`}`);
  }
  return [...words].map(([word, summary]) => ({ word, summary }));
}

const groupSubjects: Readonly<Record<string, string>> = {
  auth: 'the device link',
  analytics: 'usage counts',
  update: 'updates of svc',
};

function completed(described: OptionDescription, scanners: readonly string[]): CompletedOption {
  const { form, summary } = described;
  return {
    flags: form.split(/[ ,]+/).filter((part) => part.startsWith('-')),
    summary,
    value: form.includes('<') || form.includes('[') ? valuesOf(described, scanners) : undefined,
    isVariadic: form.includes('...'),
  };
}

function valuesOf(
  { choices = [], completes, list }: ArgumentDescription & Pick<OptionDescription, 'list'>,
  scanners: readonly string[],
): ValueCompletion {
  const isList = list !== undefined;
  if (completes === 'scanners') return { choices: scanners, isList };
  return { choices, isList, ...(completes && { kind: completes }) };
}
