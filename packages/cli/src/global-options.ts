/** The options that every command takes, anywhere on the line. */
import type { OptionDescription } from './command.ts';

export const globalOptions: readonly OptionDescription[] = [
  { form: '--json', summary: 'Print the result, or the error, as one JSON value' },
  { form: '--quiet', summary: 'Print no progress and no notes' },
  { form: '--no-color', summary: 'Use no colors (or set NO_COLOR)' },
];

export function globalOptionsIn(words: readonly string[]): {
  json: boolean;
  quiet: boolean;
  noColor: boolean;
} {
  const end = words.indexOf('--');
  const given = new Set(end === -1 ? words : words.slice(0, end));
  return { json: given.has('--json'), quiet: given.has('--quiet'), noColor: given.has('--no-color') };
}
