import type { Command } from '../frame/command.ts';

export const endSessions: Command = {
  name: 'end-sessions',
  summary: 'End the sessions of one account or of all accounts',
  description:
    'Ends sessions, and with --devices also the credentials of devices, for example after a leak or a restore. It takes effect with the next request, also while the service runs. Revoked devices are in the audit log, without an actor. People sign in again with their password.',
  options: [
    { form: '--email <address>', summary: 'The account with this address' },
    { form: '--user-id <id>', summary: 'The account with this id' },
    { form: '--all', summary: 'All accounts' },
    { form: '--devices', summary: 'Also revoke the devices, which then have to be linked again' },
    { form: '--yes', summary: 'Do not ask before --all' },
  ],
  examples: [
    'svc-server end-sessions --email ada@example.com',
    'svc-server end-sessions --all --devices --yes',
  ],
  exitCodes: {
    0: 'The sessions have ended, or there were none',
    1: 'Some or all sessions are left, because the command was interrupted or not confirmed',
    2: 'No session was ended',
  },
  failure: 'The sessions could not be ended',
  load: () => import('./run.ts'),
};
