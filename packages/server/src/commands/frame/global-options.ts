/** The options of every command. */
import type { Described } from './command.ts';

export const globalOptions: readonly Described[] = [
  { form: '--json', summary: 'Print one JSON object on standard output' },
  { form: '--quiet', summary: 'Print no progress' },
];
