/** The commands that link this machine to an account. */
import type { Command } from '../command.ts';

export const login: Command = {
  name: 'login',
  aliases: ['auth login'],
  summary: 'Link this machine to your account',
  description:
    'Prints an address and a match code. Open the address in a browser, compare the code, and approve. The credential ' +
    'is kept in the system keyring, or in a file that only you can read.',
  options: [
    { form: '--no-browser', summary: 'Print the address without opening a browser' },
    { form: '--force', summary: 'Link again, even if this machine is already linked' },
  ],
  examples: [
    { command: 'svc login', does: 'Link this machine' },
    {
      command: 'SVC_API_BASE_URL=https://svc.example.com svc login',
      does: 'Link it to your own service, and remember the address',
    },
  ],
  load: () => import('../login/login.ts'),
};

export const logout: Command = {
  name: 'logout',
  aliases: ['auth logout'],
  summary: 'Unlink this machine',
  description:
    'Revokes the credential in the service and deletes it from this machine. If the service cannot be reached, the ' +
    'credential is deleted on this machine only. In that case, also revoke the device in the browser.',
  examples: [{ command: 'svc logout', does: 'Revoke and delete the credential' }],
  load: () => import('../login/logout.ts'),
};

export const whoami: Command = {
  name: 'whoami',
  aliases: ['auth status'],
  summary: 'Show the linked account and device',
  examples: [
    { command: 'svc whoami', does: 'Show the linked account' },
    { command: 'svc whoami --json', does: 'Same, as JSON for a script' },
  ],
  load: () => import('../login/whoami.ts'),
};
