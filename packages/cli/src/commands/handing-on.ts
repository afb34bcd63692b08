/** The commands that hand a report on: to people, to other programs, to a pipeline that stops at it. */
import { severities } from '@svc/contract/words';
import type { Command } from '../command.ts';

export const compare: Command = {
  name: 'compare',
  summary: 'Show what is new in a report since an earlier one',
  description:
    'A report is named by a file, which is JSON of svc or SARIF of any scanner, or by the id of a local report. Findings ' +
    'are the same when their category, place and cause are, also when code has moved. What is gone is listed as not seen ' +
    'any more: it may be fixed, or not have been looked at.',
  arguments: [
    {
      form: '[report]',
      summary: 'The report (default: the newest finished one of this repository); - for standard input',
    },
  ],
  options: [
    {
      form: '--baseline <report>',
      summary: 'The earlier one (default: the finished one before it, of the same repository)',
    },
    {
      form: '--allow-missing-baseline',
      summary: 'Compare nothing, and end with 0, when the earlier one is not there',
    },
    {
      form: '--fail-on-new <severity>',
      summary: 'End with 7 when an outstanding finding that is new is this severe or worse',
      choices: severities,
    },
  ],
  examples: [
    { command: 'svc compare', does: 'The newest report of this repository with the one before it' },
    {
      command: 'svc compare --baseline main.json --fail-on-new high',
      does: 'Stop a pipeline at what is new',
    },
    {
      command: 'svc compare new.sarif --baseline old.sarif --json',
      does: 'Two files of a scanner, for a script',
    },
  ],
  load: () => import('../compare/compare.ts'),
};
