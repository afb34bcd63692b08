/** Commands that only our own programs call, absent from help and documents. */
import type { Command } from '../command.ts';

const completionValues: Command = {
  name: '__complete',
  summary: 'List the possible values, one per line: the value, a tab and a description',
  arguments: [
    { form: '<kind>', summary: 'The kind of the values', choices: ['reports', 'findings'] },
    { form: '[words...]', summary: 'The line as it was typed, after --' },
  ],
  examples: [
    { command: 'svc __complete findings -- finding show', does: 'The findings of the newest report' },
  ],
  isQuick: true,
  isHidden: true,
  load: () => import('../completion/candidates.ts'),
};

export const hiddenCommands: readonly Command[] = [completionValues];
