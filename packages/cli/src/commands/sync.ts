/** The commands about what is on its way to the service. */
import type { Command } from '../command.ts';
import { acceptBindingOption } from './project.ts';
import { reportOption } from './report.ts';

export const sync: Command = {
  name: 'sync',
  summary: 'Send what is not in the service yet',
  description:
    'Goes on where a sync, a scan or a power cut left off, in any phase; repeats nothing that was charged. Also gives back ' +
    'the units of scans that were given up or cut off. Without --report, all that is wanted in the service.',
  options: [
    { form: '--report <id>', summary: 'This local report alone, also one that was to stay here' },
    acceptBindingOption,
  ],
  examples: [
    { command: 'svc sync', does: 'Send everything that waits' },
    { command: 'svc sync --report r1f3', does: 'Send one report' },
  ],
  load: () => import('../sync/sync.ts'),
};

export const watch: Command = {
  name: 'watch',
  summary: 'Follow a scan on this machine',
  description:
    'Shows what a scan says, which another process may be running, until it is finished. With --json one event a line.',
  options: [reportOption],
  examples: [
    { command: 'svc watch', does: 'Follow the newest scan of this repository' },
    { command: 'svc watch --json', does: 'The same for a script' },
  ],
  load: () => import('../sync/watch.ts'),
};

export const open: Command = {
  name: 'open',
  summary: "Open a report's page in the browser",
  description: 'Prints the address, and opens it where there is a browser to open it in.',
  options: [reportOption, { form: '--no-browser', summary: 'Print the address alone' }],
  examples: [{ command: 'svc open', does: 'Open the newest report of this repository' }],
  load: () => import('../sync/open.ts'),
};
