/** The commands about reports on this machine. */
import type { Command, OptionDescription } from '../command.ts';

export const reportOption: OptionDescription = {
  form: '--report <id>',
  summary: 'The local report, or the beginning of its id (default: the newest that fits)',
};

export const reportShow: Command = {
  name: 'report show',
  summary: 'Show a report',
  description: 'With --json the canonical report, as it is or would be sent.',
  arguments: [{ form: '[file]', summary: 'A report in a file, instead of one of this machine' }],
  options: [reportOption],
  examples: [
    { command: 'svc report show', does: 'The newest report of this repository' },
    { command: 'svc report show --json > report.json', does: 'Write it to a file' },
  ],
  load: () => import('../report/show.ts'),
};

export const reportList: Command = {
  name: 'report list',
  summary: 'List the reports on this machine, newest first',
  options: [{ form: '--all', summary: 'Of every repository' }],
  examples: [
    { command: 'svc report list', does: 'Those of this repository' },
    { command: 'svc report list --all', does: 'All' },
  ],
  load: () => import('../report/list.ts'),
};

export const reportValidate: Command = {
  name: 'report validate',
  summary: 'Check whether the service would take a report',
  description: 'Lists what is wrong by JSON pointers; the exit code is then 2.',
  arguments: [{ form: '[file]', summary: 'A report in a file; - for standard input' }],
  options: [reportOption],
  examples: [
    { command: 'svc report validate report.json', does: 'Check a file' },
    { command: 'svc report validate', does: 'Check the newest finished report of this repository' },
  ],
  load: () => import('../report/validate.ts'),
};
