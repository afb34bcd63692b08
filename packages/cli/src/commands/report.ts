/** The commands for reports on this machine. */
import type { Command, OptionDescription } from '../command.ts';

export const reportOption: OptionDescription = {
  form: '--report <id>',
  summary: 'The local report, or the start of its id (default: the newest suitable report)',
  completes: 'reports',
};

export const reportShow: Command = {
  name: 'report show',
  summary: 'Show a report',
  description: 'With --json, prints the canonical report as svc sync sends it.',
  arguments: [{ form: '[file]', summary: 'A report file instead of a local report', completes: 'files' }],
  options: [reportOption],
  examples: [
    { command: 'svc report show', does: 'Show the newest report of this repository' },
    { command: 'svc report show --json > report.json', does: 'Write it to a file' },
  ],
  load: () => import('../report/show.ts'),
};

export const reportList: Command = {
  name: 'report list',
  summary: 'List the reports on this machine, newest first',
  options: [{ form: '--all', summary: 'List reports of all repositories' }],
  examples: [
    { command: 'svc report list', does: 'List reports of this repository' },
    { command: 'svc report list --all', does: 'List reports of all repositories' },
  ],
  load: () => import('../report/list.ts'),
};

export const reportValidate: Command = {
  name: 'report validate',
  summary: 'Check whether the service would accept a report',
  description:
    'A file may be a canonical report, a JSON export of svc or of the service, or SARIF. Prints the detected form, and lists ' +
    'errors by JSON pointer; the exit code is then 2.',
  arguments: [{ form: '[file]', summary: 'A report file; - for standard input', completes: 'files' }],
  options: [reportOption],
  examples: [
    { command: 'svc report validate report.json', does: 'Check a file' },
    { command: 'svc report validate', does: 'Check the newest finished report of this repository' },
  ],
  load: () => import('../report/validate.ts'),
};
