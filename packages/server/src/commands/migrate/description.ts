import type { Command } from '../frame/command.ts';

export const migrate: Command = {
  name: 'migrate',
  summary: 'Bring the database to the schema of this version',
  description:
    'Runs the pending migrations, all of them or none, without starting the service. Any number of processes may do so at the same time. The start of the service does the same; run this first when a migration takes a long time.',
  options: [{ form: '--check', summary: 'Change nothing, and list the pending migrations' }],
  examples: ['svc-server migrate', 'svc-server migrate --check'],
  exitCodes: {
    0: 'The database has the schema of this version, or a newer one that this version can work with',
    1: 'Migrations are pending (only with --check)',
    2: 'The database could not be migrated and is unchanged',
  },
  failure: 'The migration failed',
  load: () => import('./run.ts'),
};
