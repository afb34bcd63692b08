/** The commands that update this program. */
import type { Command } from '../command.ts';

export const updateCheck: Command = {
  name: 'update check',
  summary: 'Check for a newer svc',
  description:
    'Fetches the release manifest of the service, and checks it against the keys that this svc trusts and the releases ' +
    'it has seen. Installs nothing.',
  examples: [
    { command: 'svc update check', does: 'Check for a newer version' },
    { command: 'svc update check --json', does: 'Same, as JSON for a script' },
  ],
  load: () => import('../update/check.ts'),
};

export const updateApply: Command = {
  name: 'update apply',
  summary: 'Install the newest svc',
  description:
    'Checks the release and downloads the program. Replaces this svc only if the program has the ' +
    'signed length and digest and a test run succeeds. The previous program is kept under the same name with .previous.',
  examples: [{ command: 'svc update apply', does: 'Update this svc' }],
  load: () => import('../update/apply.ts'),
};
