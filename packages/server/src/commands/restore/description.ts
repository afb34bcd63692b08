import type { Command } from '../frame/command.ts';

export const restore: Command = {
  name: 'restore',
  summary: 'Restore a backup into an empty data folder or database',
  description:
    'Checks a backup, and copies it to where the settings say: into an empty data folder, or into the empty database of DATABASE_URL and the empty prefix of BLOB_URL. A backup of either kind can be restored to either. All sessions end and all devices are revoked, because those that were revoked after the backup would work again. The service must be stopped. After an interruption, run the command again.',
  arguments: [{ form: '<folder>', summary: 'The backup' }],
  options: [
    { form: '--even-with-faults', summary: 'Restore even if the backup has faults' },
    { form: '--keep-sessions', summary: 'Keep sessions and devices as they were at the time of the backup' },
  ],
  examples: ['svc-server restore /mnt/backups/2026-11-22'],
  exitCodes: {
    0: 'The backup is restored',
    1: 'The backup has faults; it was not restored, unless --even-with-faults is given',
    2: 'The restore is not complete: run it again',
  },
  failure: 'The restore is not complete',
  load: () => import('./run.ts'),
};
