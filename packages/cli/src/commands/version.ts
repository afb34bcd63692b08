/** The command that prints the version of svc, like `svc --version` and `svc -v`. */
import type { Command } from '../command.ts';

export const showVersion: Command = {
  name: 'version',
  summary: 'Print the version',
  examples: [
    { command: 'svc version', does: 'The version of this svc' },
    { command: 'svc version --json', does: 'Same, as JSON for a script' },
  ],
  load: () => import('../show-version.ts'),
};
