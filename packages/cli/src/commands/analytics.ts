/** The commands that turn usage counts on and off. */
import type { Command } from '../command.ts';

export const analyticsStatus: Command = {
  name: 'analytics status',
  summary: 'Show whether usage is counted, and pending events',
  description:
    'Prints exactly what the next command that calls the service will send. docs/ANALYTICS.md lists what is counted.',
  examples: [{ command: 'svc analytics status', does: 'See whether usage is counted' }],
  load: async () => ({ run: (await import('../analytics/choose.ts')).status }),
};

export const analyticsOff: Command = {
  name: 'analytics off',
  summary: 'Stop counting usage, and delete pending events',
  description: 'SVC_ANALYTICS=off or DO_NOT_TRACK=1 does the same for one command.',
  examples: [{ command: 'svc analytics off', does: 'Stop counting' }],
  load: async () => ({ run: (await import('../analytics/choose.ts')).turnOff }),
};

export const analyticsOn: Command = {
  name: 'analytics on',
  summary: 'Count usage on this machine',
  examples: [{ command: 'svc analytics on', does: 'Start counting again' }],
  load: async () => ({ run: (await import('../analytics/choose.ts')).turnOn }),
};
