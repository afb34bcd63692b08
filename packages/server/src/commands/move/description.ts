import type { Command } from '../frame/command.ts';

export const move: Command = {
  name: 'move',
  summary: 'Move the data to PostgreSQL and to a bucket',
  description:
    'Copies the database of the data folder into the empty database of DATABASE_URL, and the report bodies into the empty prefix of BLOB_URL, and compares every row and every report body with its source. Without BLOB_URL the report bodies stay in the data folder. Without DATABASE_URL only the report bodies are moved. The service must be stopped. After an interruption, run the command again. The data folder stays as it is, but the service no longer starts on its database.',
  options: [
    { form: '--even-with-faults', summary: 'Move even if some report bodies are missing or damaged' },
    {
      form: '--undo',
      summary: 'Use the database of the data folder again, without what was written elsewhere since the move',
    },
  ],
  examples: ['svc-server move', 'svc-server move --undo'],
  exitCodes: {
    0: 'Everything was moved and compared',
    1: 'Report bodies are missing or damaged; the data was not moved, unless --even-with-faults is given',
    2: 'The move is not complete: run it again',
  },
  failure: 'The move is not complete',
  load: () => import('./run.ts'),
};
