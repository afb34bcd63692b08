/** The commands by which an agent, or a person, scans step by step. */
import { effortsRequested, progressPhases, progressTypes, safeCodes, severities } from '@svc/contract/words';
import type { Command } from '../command.ts';
import { acceptBindingOption } from './project.ts';
import { reportOption } from './report.ts';

export const scan: Command = {
  name: 'scan',
  summary: 'Scan a repository and sync its report',
  description:
    'Runs the built-in search for secrets and the scanners that are installed, and takes finished results in. Prints the ' +
    'address of the report at once, and syncs it when it is complete; source files stay on this machine, and findings quote at most the few lines they are about. ' +
    'Interrupted, the scan is given up and nothing is charged. What could not be sent is kept: svc sync. --fail-on counts ' +
    'what is neither set aside nor verified as fixed, when the report is complete and stored.',
  arguments: [{ form: '[path]', summary: 'The repository, or a folder in it (default: where you are)' }],
  options: [
    { form: '--sarif <files...>', summary: 'Take results that scanners have written; - for standard input' },
    { form: '--only <scanners...>', summary: 'Run these scanners alone, such as secrets, semgrep or trivy' },
    {
      form: '--effort <effort>',
      summary: 'How thorough the scan is (default: auto)',
      choices: effortsRequested,
    },
    { form: '--trust-repository', summary: 'Run scanners that run code of the repository' },
    { form: '--offline', summary: 'Leave out scanners that need the network' },
    { form: '--no-sync', summary: 'Keep the report on this machine' },
    {
      form: '--fail-on <severity>',
      summary: 'Exit with code 7 when an outstanding finding is this severe or worse',
      choices: severities,
    },
    acceptBindingOption,
    { form: '-y, --yes', summary: 'Give up earlier scans that were cut off, without asking' },
  ],
  examples: [
    { command: 'svc scan', does: 'Scan the repository you are in, and sync its report' },
    {
      command: 'svc scan . --sarif semgrep.sarif trivy.sarif',
      does: 'With results of scanners that ran before',
    },
    { command: 'svc scan . --only secrets --no-sync --json', does: 'One check, for a script' },
    { command: 'svc scan . --fail-on high', does: 'One that stops a pipeline' },
  ],
  load: () => import('../scan/scan.ts'),
};

export const scanStart: Command = {
  name: 'scan start',
  summary: 'Begin a scan that an agent works on',
  description:
    'Makes a local report and prints its id. The commands that follow work on the newest open scan of the repository; ' +
    '--report names another one.',
  options: [
    {
      form: '--effort <effort>',
      summary: 'How thorough the scan is (default: auto)',
      choices: effortsRequested,
    },
    { form: '--agent-name <name>', summary: 'Who scans (default: svc)' },
    { form: '--agent-version <version>', summary: 'Its version' },
    { form: '--agent-model <model>', summary: 'The model it uses' },
    {
      form: '--basis <basis>',
      summary: 'With what right it is scanned (default: owner)',
      choices: ['owner', 'contract', 'bug_bounty', 'open_source'],
    },
    { form: '--scope <scope...>', summary: 'What may be scanned (default: everything in the repository)' },
    { form: '--no-sync', summary: 'Keep the report on this machine' },
    acceptBindingOption,
  ],
  examples: [
    { command: 'svc scan start --agent-name my-agent --agent-version 1.0', does: 'Begin a scan by an agent' },
    { command: 'svc scan start --basis contract --scope "the API" --no-sync', does: 'One that stays here' },
  ],
  load: () => import('../scan/start.ts'),
};

export const scanFinish: Command = {
  name: 'scan finish',
  summary: 'End a scan and make its report',
  description:
    'Takes over what was decided about the same findings in the report before. --notes names a JSON file with any of ' +
    'coverage, coverageAreas and limitations; - reads standard input.',
  options: [
    { form: '--notes <file>', summary: 'What was looked at and what was not' },
    reportOption,
    acceptBindingOption,
  ],
  examples: [
    { command: 'svc scan finish', does: 'End the newest open scan of this repository' },
    { command: 'svc scan finish --notes notes.json', does: 'With what the scan covered' },
  ],
  load: () => import('../scan/finish.ts'),
};

export const scanAbort: Command = {
  name: 'scan abort',
  summary: 'Give a scan up',
  description: 'What was found stays readable on this machine and is never sent.',
  options: [reportOption],
  examples: [{ command: 'svc scan abort', does: 'Give up the newest open scan of this repository' }],
  load: () => import('../scan/abort.ts'),
};

export const progress: Command = {
  name: 'progress',
  summary: 'Say how far a scan has come',
  description: `Types: ${progressTypes.join(', ')}.`,
  arguments: [{ form: '<type>', summary: 'What happened' }],
  options: [
    { form: '--phase <phase>', summary: 'In which phase', choices: progressPhases },
    { form: '--code <code>', summary: 'How it went', choices: safeCodes },
    reportOption,
  ],
  examples: [
    { command: 'svc progress phase_started --phase inventory', does: 'A phase begins' },
    { command: 'svc progress warning --code budget_low', does: 'Something to know' },
  ],
  isQuick: true,
  load: () => import('../scan/progress.ts'),
};
