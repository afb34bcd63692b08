/** The commands about single findings. */
import { findingStatuses, severities } from '@svc/contract/words';
import type { Command } from '../command.ts';
import { reportOption } from './report.ts';

export const findingAdd: Command = {
  name: 'finding add',
  summary: 'Add a finding to an open scan',
  description:
    'Takes one finding as a JSON object of at most 1 MiB. Prints what became of it; one that is not acceptable is not ' +
    'stored, and the exit code is 2.',
  arguments: [{ form: '[file]', summary: 'The JSON file; - or nothing for standard input' }],
  options: [reportOption],
  examples: [
    { command: 'svc finding add finding.json', does: 'Add one from a file' },
    { command: 'svc finding add --json - < finding.json', does: 'Add one from standard input, for a script' },
  ],
  isQuick: true,
  load: () => import('../finding/add.ts'),
};

export const findingList: Command = {
  name: 'finding list',
  summary: 'List the findings of a report, the worst first',
  options: [
    { form: '--severity <severity>', summary: 'Of this severity or worse', choices: severities },
    { form: '--status <status>', summary: 'Of this status', choices: findingStatuses },
    reportOption,
  ],
  examples: [
    { command: 'svc finding list', does: 'Those of the newest report of this repository' },
    { command: 'svc finding list --severity high --status open', does: 'What is urgent' },
  ],
  load: () => import('../finding/list.ts'),
};

export const findingShow: Command = {
  name: 'finding show',
  summary: 'Show one finding',
  arguments: [{ form: '<id>', summary: 'Such as F-3' }],
  options: [reportOption],
  examples: [{ command: 'svc finding show F-3', does: 'Everything about it' }],
  load: () => import('../finding/show.ts'),
};

export const findingStatus: Command = {
  name: 'finding status',
  summary: 'Move a finding to another status',
  description:
    `Statuses: ${findingStatuses.join(', ')}. Until a finished report is sent its statuses can change; what is sent is ` +
    'then made anew. After that they change in the service, or in the next report.',
  arguments: [
    { form: '<id>', summary: 'Such as F-3' },
    { form: '<status>', summary: 'What it becomes' },
  ],
  options: [{ form: '--note <text>', summary: 'Why, for the history of its fix' }, reportOption],
  examples: [
    { command: 'svc finding status F-3 fix_suggested', does: 'A fix is proposed' },
    { command: 'svc finding status F-4 false_positive', does: 'Set it aside, also in later reports' },
  ],
  load: () => import('../finding/status.ts'),
};
