import type { Command } from '../frame/command.ts';

export const exportAccount: Command = {
  name: 'export-account',
  summary: 'Write everything that is held about one account',
  description:
    'Writes account.json into a new folder, and with --reports the bodies of the reports that the account owns, as it uploaded them. It contains no password, token or hash of one. Check it before you pass it on: it also names people with whom the account shared reports. It only reads, and may run while the service runs.',
  arguments: [{ form: '<new folder>', summary: 'Where the files are created; it must not exist yet' }],
  options: [
    { form: '--email <address>', summary: 'The account with this address' },
    { form: '--user-id <id>', summary: 'The account with this id' },
    { form: '--reports', summary: 'Also write the report bodies; this needs the master key' },
  ],
  examples: ['svc-server export-account /root/ada --email ada@example.com --reports'],
  exitCodes: {
    0: 'The files were created',
    1: 'The files were created, except for report bodies that are missing or damaged; the message names them',
    2: 'No file was created',
  },
  failure: 'The account could not be exported',
  load: () => import('./run.ts'),
};
