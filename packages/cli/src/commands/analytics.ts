/** The commands that say whether use is counted. */
import type { Command } from '../command.ts';

export const analyticsStatus: Command = {
  name: 'analytics status',
  summary: 'Show whether use is counted, and what waits to be sent',
  description:
    'Prints word for word what the next command that talks to the service will send. docs/ANALYTICS.md says what is counted.',
  examples: [{ command: 'svc analytics status', does: 'See whether use is counted' }],
  load: async () => ({ run: (await import('../analytics/choose.ts')).status }),
};

export const analyticsOff: Command = {
  name: 'analytics off',
  summary: 'Count nothing here, and forget what waits to be sent',
  description: 'SVC_ANALYTICS=off and DO_NOT_TRACK=1 do the same for a command.',
  examples: [{ command: 'svc analytics off', does: 'Count nothing from now on' }],
  load: async () => ({ run: (await import('../analytics/choose.ts')).turnOff }),
};

export const analyticsOn: Command = {
  name: 'analytics on',
  summary: 'Count use on this machine',
  examples: [{ command: 'svc analytics on', does: 'Count again' }],
  load: async () => ({ run: (await import('../analytics/choose.ts')).turnOn }),
};
