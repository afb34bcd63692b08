/** The commands that sync and follow reports. */
import type { Command } from '../command.ts';
import { acceptBindingOption } from './project.ts';
import { reportOption } from './report.ts';

export const sync: Command = {
  name: 'sync',
  summary: 'Send pending reports to the service',
  description:
    'Continues a sync or scan that was interrupted in any phase, even by a power cut, and charges nothing twice. Also releases the ' +
    'quota units of scans that were aborted or cut off. Without --report, sends every report that is not kept local. Lists ' +
    'what is still pending afterwards, since when and why.',
  options: [
    {
      form: '--report <id>',
      summary: 'Only this local report, even if it was kept local',
      completes: 'reports',
    },
    { form: '--dry-run', summary: 'List what is pending and why; send nothing' },
    acceptBindingOption,
  ],
  examples: [
    { command: 'svc sync', does: 'Send all pending reports' },
    { command: 'svc sync --report r1f3', does: 'Send one report' },
    { command: 'svc sync --dry-run', does: 'See what is pending' },
  ],
  load: () => import('../sync/sync.ts'),
};

export const watch: Command = {
  name: 'watch',
  summary: 'Follow a scan on this machine',
  description:
    'Shows the progress of a scan until it ends, even if another process runs it. With --json, one event per line.',
  options: [reportOption],
  examples: [
    { command: 'svc watch', does: 'Follow the newest scan of this repository' },
    { command: 'svc watch --json', does: 'Same, as JSON for a script' },
  ],
  load: () => import('../sync/watch.ts'),
};

export const open: Command = {
  name: 'open',
  summary: "Open a report's page in the browser",
  description: 'Prints the address, and opens it if there is a browser.',
  options: [reportOption, { form: '--no-browser', summary: 'Only print the address' }],
  examples: [{ command: 'svc open', does: 'Open the newest report of this repository' }],
  load: () => import('../sync/open.ts'),
};
