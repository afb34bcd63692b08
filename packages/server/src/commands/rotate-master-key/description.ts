import type { Command } from '../frame/command.ts';

export const rotateMasterKey: Command = {
  name: 'rotate-master-key',
  summary: 'Replace the master key with a new one',
  description:
    'Wraps the keys of all reports and of the notes of all projects with the new master key, while the service runs. If the master key is a file of the data folder, the command creates the new one there. Otherwise set SVC_MASTER_KEY to the new key, a comma and the old key, and restart every replica first. After an interruption, run it again. docs/OPERATING.md has the whole procedure.',
  options: [
    { form: '--even-with-faults', summary: 'Finish even if no known master key unwraps some of the keys' },
  ],
  examples: ['svc-server rotate-master-key'],
  exitCodes: {
    0: 'Every key is wrapped by the new master key',
    1: 'No known master key unwraps some of the keys; the old key is still needed, unless --even-with-faults is given',
    2: 'The master key could not be replaced; run it again',
  },
  failure: 'The master key was not replaced completely',
  load: () => import('./run.ts'),
};
