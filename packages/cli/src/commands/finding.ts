/** The commands for single findings. */
import { findingStatuses, severities } from '@svc/contract/enums';
import type { ArgumentDescription, Command } from '../command.ts';
import { reportOption } from './report.ts';

const findingId: ArgumentDescription = { form: '<id>', summary: 'Such as F-3', completes: 'findings' };

export const findingAdd: Command = {
  name: 'finding add',
  summary: 'Add a finding to an open scan',
  description:
    'Takes one finding as a JSON object of at most 1 MiB, and prints the result. A rejected finding is not stored, and the ' +
    'exit code is 2.',
  arguments: [
    { form: '[file]', summary: 'The JSON file (default, or -: standard input)', completes: 'files' },
  ],
  options: [reportOption],
  examples: [
    { command: 'svc finding add finding.json', does: 'Add a finding from a file' },
    {
      command: 'svc finding add --json - < finding.json',
      does: 'Add a finding from standard input, for a script',
    },
  ],
  isQuick: true,
  load: () => import('../finding/add.ts'),
};

export const findingList: Command = {
  name: 'finding list',
  summary: 'List the findings of a report, most severe first',
  options: [
    { form: '--severity <severity>', summary: 'Only this severity or worse', choices: severities },
    { form: '--status <status>', summary: 'Only this status', choices: findingStatuses },
    reportOption,
  ],
  examples: [
    { command: 'svc finding list', does: 'List the newest report of this repository' },
    { command: 'svc finding list --severity high --status open', does: 'List urgent findings' },
  ],
  load: () => import('../finding/list.ts'),
};

export const findingShow: Command = {
  name: 'finding show',
  summary: 'Show one finding',
  arguments: [findingId],
  options: [reportOption],
  examples: [{ command: 'svc finding show F-3', does: 'Show all details' }],
  load: () => import('../finding/show.ts'),
};

export const findingStatus: Command = {
  name: 'finding status',
  summary: 'Change the status of a finding',
  description:
    'Works until the report is sent: svc sync then sends the new status. After that, change it in the service or in the ' +
    'next report.',
  arguments: [findingId, { form: '<status>', summary: 'The new status', choices: findingStatuses }],
  options: [{ form: '--note <text>', summary: 'The reason, for the fix history' }, reportOption],
  examples: [
    { command: 'svc finding status F-3 fix_suggested', does: 'Mark that a fix is proposed' },
    { command: 'svc finding status F-4 false_positive', does: 'Set it aside, in later reports too' },
  ],
  load: () => import('../finding/status.ts'),
};
