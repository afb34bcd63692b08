/** The commands that export and compare reports, for people, programs and pipelines. */
import { exportFormats, severities } from '@svc/contract/enums';
import type { Command, OptionDescription } from '../command.ts';
import { decisionsOption } from './decisions.ts';
import { reportOption } from './report.ts';
import { allowFailedScannersOption } from './scan.ts';

const allowMissingBaseline: OptionDescription = {
  form: '--allow-missing-baseline',
  summary: 'Continue if the earlier report does not exist, as in a first run',
};

export const exportReport: Command = {
  name: 'export',
  summary: 'Write a report as HTML, JSON, Markdown or SARIF',
  description:
    'Writes the whole report to a file in the current folder, and prints its name. The format comes from ' +
    '--format, else from the extension of --output; the default is html. Findings that were set aside on the service ' +
    'are set aside in the file.',
  arguments: [
    {
      form: '[file]',
      summary: 'A report file instead of a local report; - for standard input',
      completes: 'files',
    },
  ],
  options: [
    { form: '--format <format>', summary: 'The output format', choices: exportFormats },
    { form: '-o, --output <file>', summary: 'The output file; - for standard output', completes: 'files' },
    { form: '--force', summary: 'Replace an existing file' },
    {
      form: '--profile <profile>',
      summary: 'Write SARIF that GitHub code scanning accepts, without findings that are set aside',
      choices: ['github'],
    },
    {
      form: '--baseline <report>',
      summary: 'Mark findings that are new since this file or local report',
      completes: 'reports or files',
    },
    allowMissingBaseline,
    decisionsOption,
    reportOption,
  ],
  examples: [
    { command: 'svc export', does: 'Export the newest report of this repository as an HTML file' },
    { command: 'svc export -o report.md', does: 'Export it as Markdown' },
    {
      command: 'svc export --profile github --output results.sarif --force',
      does: 'Export it for GitHub code scanning',
    },
    { command: 'svc export --format json --output - | jq .summary', does: 'Pipe it into another program' },
  ],
  load: () => import('../export/export-command.ts'),
};

export const compare: Command = {
  name: 'compare',
  summary: 'Show which findings are new since an earlier report',
  description:
    'A report is a file (svc JSON, or SARIF from any scanner) or the id of a local report. Findings are the same if ' +
    'their category, location and cause are the same, even if code has moved. Missing findings are listed as no longer ' +
    'seen: they may be fixed, or the code was not scanned. Findings that were set aside on the service pass the gate. ' +
    'With --fail-on-new, the exit code is 8 if a scanner of the report failed or did not run.',
  arguments: [
    {
      form: '[report]',
      summary: 'The report (default: the newest finished report of this repository); - for standard input',
      completes: 'reports or files',
    },
  ],
  options: [
    {
      form: '--baseline <report>',
      summary: 'The earlier report (default: the previous finished report of the repository)',
      completes: 'reports or files',
    },
    allowMissingBaseline,
    {
      form: '--fail-on-new <severity>',
      summary: 'Exit with code 7 if a new outstanding finding is this severe or worse',
      choices: severities,
    },
    decisionsOption,
    allowFailedScannersOption,
  ],
  examples: [
    { command: 'svc compare', does: 'Compare the newest report of this repository with the previous one' },
    {
      command: 'svc compare --baseline main.json --fail-on-new high',
      does: 'Stop a pipeline at new severe findings',
    },
    {
      command: 'svc compare new.sarif --baseline old.sarif --json',
      does: 'Compare two SARIF files, for a script',
    },
  ],
  load: () => import('../compare/compare.ts'),
};
