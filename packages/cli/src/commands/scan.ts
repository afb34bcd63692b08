/** The commands that scan, as one command or step by step. */
import { effortsRequested, progressPhases, progressTypes, safeCodes, severities } from '@svc/contract/enums';
import type { Command, OptionDescription } from '../command.ts';
import { decisionsOption } from './decisions.ts';
import { acceptBindingOption } from './project.ts';
import { reportOption } from './report.ts';

export const allowFailedScannersOption: OptionDescription = {
  form: '--allow-failed-scanners',
  summary: 'Let a gate pass even if a scanner failed, did not run or left results out, or a log is truncated',
};

export const scan: Command = {
  name: 'scan',
  summary: 'Scan a repository and sync its report',
  description:
    'Runs the built-in secret search and the installed scanners, and imports existing results. Prints the address of the ' +
    'report immediately, and syncs the report when it is complete. Source files stay on this machine; a finding quotes at ' +
    'most the few lines it is about. An interrupted scan is aborted, and nothing is charged. A report that could not be ' +
    'sent is kept for svc sync. --fail-on counts findings that are neither set aside nor verified as fixed, once the report ' +
    'is complete and stored. Decisions on the service count too. With --fail-on, the exit code is 8 if a scanner failed, or if --only names one that did not run.',
  arguments: [
    {
      form: '[path]',
      summary: 'Scan only this folder or file (default: the whole repository you are in)',
      completes: 'files',
    },
  ],
  options: [
    {
      form: '--sarif <files...>',
      summary: 'Import results of scanners; - for standard input',
      completes: 'files',
      list: 'files',
    },
    {
      form: '--only <scanners...>',
      summary: 'Run only these scanners, such as secrets,semgrep,trivy',
      completes: 'scanners',
      list: 'words',
    },
    {
      form: '--effort <effort>',
      summary: 'How thorough the scan is (default: auto)',
      choices: effortsRequested,
    },
    { form: '--trust-repository', summary: 'Allow scanners that run code from the repository' },
    { form: '--offline', summary: 'Skip scanners that need the network' },
    { form: '--no-sync', summary: 'Keep the report on this machine' },
    {
      form: '--fail-on <severity>',
      summary: 'Exit with code 7 if an outstanding finding is this severe or worse',
      choices: severities,
    },
    decisionsOption,
    allowFailedScannersOption,
    acceptBindingOption,
    { form: '-y, --yes', summary: 'Abort earlier scans that were cut off, without asking' },
  ],
  examples: [
    { command: 'svc scan', does: 'Scan the repository you are in, and sync its report' },
    {
      command: 'svc scan --sarif semgrep.sarif,trivy.sarif',
      does: 'Import results of earlier scanner runs',
    },
    { command: 'svc scan packages/api', does: 'Scan one folder of a repository' },
    {
      command: 'svc scan --only secrets,bandit --no-sync --json',
      does: 'Run only two scanners, for a script',
    },
    { command: 'svc scan --fail-on high', does: 'Stop a pipeline at severe findings' },
  ],
  load: () => import('../scan/scan.ts'),
};

export const scanStart: Command = {
  name: 'scan start',
  summary: 'Start a scan that an agent works on',
  description:
    'Creates a local report and prints its id. Later commands use the newest open scan of the repository, or the one that ' +
    '--report names.',
  options: [
    {
      form: '--effort <effort>',
      summary: 'How thorough the scan is (default: auto)',
      choices: effortsRequested,
    },
    { form: '--agent-name <name>', summary: 'Name of the agent (default: svc)' },
    { form: '--agent-version <version>', summary: 'Version of the agent' },
    { form: '--agent-model <model>', summary: 'Model of the agent' },
    {
      form: '--basis <basis>',
      summary: 'What authorizes the scan (default: owner)',
      choices: ['owner', 'contract', 'bug_bounty', 'open_source'],
    },
    { form: '--scope <scope...>', summary: 'What may be scanned (default: everything in the repository)' },
    { form: '--no-sync', summary: 'Keep the report on this machine' },
    acceptBindingOption,
  ],
  examples: [
    { command: 'svc scan start --agent-name my-agent --agent-version 1.0', does: 'Start a scan by an agent' },
    {
      command: 'svc scan start --basis contract --scope "the API" --no-sync',
      does: 'Start a scan whose report stays on this machine',
    },
  ],
  load: () => import('../scan/start.ts'),
};

export const scanFinish: Command = {
  name: 'scan finish',
  summary: 'Finish a scan and create its report',
  description:
    'Keeps the triage decisions of the previous report for the same findings. --notes names a JSON file with any of ' +
    'coverage, coverageAreas and limitations; - reads standard input.',
  options: [
    { form: '--notes <file>', summary: 'What the scan covered and what it did not', completes: 'files' },
    reportOption,
    acceptBindingOption,
  ],
  examples: [
    { command: 'svc scan finish', does: 'Finish the newest open scan of this repository' },
    { command: 'svc scan finish --notes notes.json', does: 'Add what the scan covered' },
  ],
  load: () => import('../scan/finish.ts'),
};

export const scanAbort: Command = {
  name: 'scan abort',
  summary: 'Abort a scan',
  description: 'The findings stay readable on this machine and are never sent.',
  options: [reportOption],
  examples: [{ command: 'svc scan abort', does: 'Abort the newest open scan of this repository' }],
  load: () => import('../scan/abort.ts'),
};

export const progress: Command = {
  name: 'progress',
  summary: 'Report the progress of a scan',
  arguments: [{ form: '<type>', summary: 'What happened', choices: progressTypes }],
  options: [
    { form: '--phase <phase>', summary: 'The phase it happened in', choices: progressPhases },
    { form: '--code <code>', summary: 'The outcome', choices: safeCodes },
    reportOption,
  ],
  examples: [
    { command: 'svc progress phase_started --phase inventory', does: 'Start a phase' },
    { command: 'svc progress warning --code budget_low', does: 'Report a warning' },
  ],
  isQuick: true,
  load: () => import('../scan/progress.ts'),
};
