import type { Command } from '../frame/command.ts';

export const auditVerify: Command = {
  name: 'audit verify',
  summary: 'Check that no entry of the audit log was changed',
  description:
    'Checks the hashes of all entries of the configured database, or of a copy of its file, and prints the end of the log. It only reads, and may run while the service runs.',
  options: [
    { form: '--file <copy of svc.db>', summary: 'Check this file instead of the configured database' },
    {
      form: '--expect <sequence>:<hash>',
      summary: 'Check that the log still contains this end, as an earlier check printed it',
    },
  ],
  examples: ['svc-server audit verify', 'svc-server audit verify --file copy.db --json'],
  exitCodes: {
    0: 'Every entry is unchanged',
    1: 'An entry was changed, is missing or does not belong there',
    2: 'The log could not be checked',
  },
  failure: 'The audit log cannot be read',
  load: () => import('./run.ts'),
};
