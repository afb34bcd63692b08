import type { Command } from '../frame/command.ts';

const failure = 'The backup failed';

export const backup: Command = {
  name: 'backup',
  summary: 'Copy the data of the service into a new folder',
  description:
    'Copies the database, the report bodies and the master key into a new folder, and checks the copy. The service may run meanwhile. Anyone who has the folder can read every report in it.',
  arguments: [{ form: '<new folder>', summary: 'Where the backup is created; it must not exist yet' }],
  options: [{ form: '--even-with-faults', summary: 'Create the backup even if the data has faults' }],
  examples: ['svc-server backup /var/lib/svc/backup-2026-11-22'],
  exitCodes: {
    0: 'The backup was created and checked',
    1: 'The data has faults; a backup was only created if --even-with-faults was given',
    2: 'The backup could not be created',
  },
  failure,
  load: () => import('./run.ts'),
};

export const backupVerify: Command = {
  name: 'backup verify',
  summary: 'Check a backup',
  description:
    'Checks every page of the database, every report body and the audit log of a backup. It only reads. Without the master key in the folder, it needs SVC_MASTER_KEY.',
  arguments: [{ form: '<folder>', summary: 'The backup' }],
  examples: ['svc-server backup verify /mnt/backups/2026-11-22'],
  exitCodes: {
    0: 'The backup is complete and intact',
    1: 'The backup has faults',
    2: 'The backup could not be checked',
  },
  failure,
  load: () => import('./verify.ts'),
};
