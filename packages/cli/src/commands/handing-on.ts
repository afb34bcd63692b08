/** The commands that hand a report on: to people, to other programs, to a pipeline that stops at it. */
import { exportFormats, severities } from '@svc/contract/words';
import type { Command, OptionDescription } from '../command.ts';
import { reportOption } from './report.ts';

const allowMissingBaseline: OptionDescription = {
  form: '--allow-missing-baseline',
  summary: 'Go on without the earlier report when it is not there, as at a first run',
};

export const exportReport: Command = {
  name: 'export',
  summary: 'Write a report as HTML, JSON, Markdown or SARIF',
  description:
    'Writes the whole report to a file in the folder you are in, and prints its name. The format is that of --format, or ' +
    'else that of the name given with --output, or else html.',
  arguments: [
    { form: '[file]', summary: 'A report in a file, instead of one of this machine; - for standard input' },
  ],
  options: [
    { form: '--format <format>', summary: 'What to write', choices: exportFormats },
    { form: '--output <file>', summary: 'Where to; - for standard output' },
    { form: '--force', summary: 'Replace a file that is there' },
    {
      form: '--profile <profile>',
      summary: 'SARIF that keeps to what its reader takes, without what is set aside',
      choices: ['github'],
    },
    { form: '--baseline <report>', summary: 'Mark what is new since this file or local report' },
    allowMissingBaseline,
    reportOption,
  ],
  examples: [
    { command: 'svc export', does: 'The newest report of this repository, as a page to mail or print' },
    { command: 'svc export --output report.md', does: 'As Markdown' },
    {
      command: 'svc export --profile github --output results.sarif --force',
      does: "For GitHub's code scanning",
    },
    { command: 'svc export --format json --output - | jq .summary', does: 'Into another program' },
  ],
  load: () => import('../export/export.ts'),
};

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
    allowMissingBaseline,
    {
      form: '--fail-on-new <severity>',
      summary: 'Exit with code 7 when an outstanding finding that is new is this severe or worse',
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
