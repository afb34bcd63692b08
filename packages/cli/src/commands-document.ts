/** Generates the list of commands as Markdown from their descriptions: docs/CLI-COMMANDS.md. */
import type { ArgumentDescription, Command, OptionDescription } from './command.ts';
import { globalOptions } from './global-options.ts';

export function commandsDocument(commands: readonly Command[]): string {
  const sections = commands.map(sectionOf);
  return [
    '# Commands',
    'Generated from `packages/cli/src/commands` by `npm run generate`. [CLI.md](CLI.md) describes what all commands share.',
    ...listOf('Every command takes:', globalOptions),
    ...sections,
  ]
    .join('\n\n')
    .concat('\n');
}

function sectionOf({
  name,
  summary,
  description,
  arguments: taken = [],
  options = [],
  examples,
  aliases = [],
}: Command) {
  const usage = ['svc', name, ...taken.map(({ form }) => form), ...(options.length > 0 ? ['[options]'] : [])];
  const shown = examples.flatMap(({ command, does }) => [`# ${does}`, command]);
  return [
    `## svc ${name}`,
    `${summary}.${description === undefined ? '' : ` ${description}`}`,
    `\`${usage.join(' ')}\`${aliases.map((alias) => `, also \`svc ${alias}\``).join('')}`,
    ...listOf('', [...taken, ...options]),
    ['```sh', ...shown, '```'].join('\n'),
  ].join('\n\n');
}

function listOf(title: string, described: readonly (ArgumentDescription | OptionDescription)[]): string[] {
  if (described.length === 0) return [];
  const lines = described.map(({ form, summary, choices }) => {
    const all = choices === undefined ? '' : `: ${choices.map((choice) => `\`${choice}\``).join(', ')}`;
    return `- \`${form}\`: ${summary}${all}`;
  });
  return [...(title === '' ? [] : [title]), lines.join('\n')];
}
