/** The commands that keep this program itself up to date. */
import type { Command } from '../command.ts';

export const updateCheck: Command = {
  name: 'update check',
  summary: 'Ask whether there is a newer svc',
  description:
    'Fetches the release manifest of the service and holds it against the keys that this svc trusts and all that it has ' +
    'seen of releases. Installs nothing.',
  examples: [
    { command: 'svc update check', does: 'See whether there is a newer one' },
    { command: 'svc update check --json', does: 'The same for a script' },
  ],
  load: () => import('../update/check.ts'),
};

export const updateApply: Command = {
  name: 'update apply',
  summary: 'Put the newest svc in the place of this one',
  description:
    'Does what check does, fetches the program, and puts it there once length and digest are those that were signed and it ' +
    'has run. The one before it is kept beside it, under the same name with .previous.',
  examples: [{ command: 'svc update apply', does: 'Update this svc' }],
  load: () => import('../update/apply.ts'),
};
