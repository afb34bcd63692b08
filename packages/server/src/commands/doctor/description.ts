import type { Command } from '../frame/command.ts';

export const doctor: Command = {
  name: 'doctor',
  summary: 'Check the configuration and everything that the service depends on',
  description:
    'Prints one line for each check: ok, warning or fault, and what to do. It writes to the data folder, the database, the blobs and Redis as the service does, and removes what it wrote; a counter in Redis expires. Each check has a time limit. It may run while the service runs.',
  examples: ['svc-server doctor', 'svc-server doctor --json'],
  exitCodes: {
    0: 'No fault; there may be warnings',
    1: 'At least one fault',
    2: 'The checks could not run, for example because a variable is invalid',
  },
  failure: 'The checks could not run',
  printsFindings: true,
  load: () => import('./run.ts'),
};
