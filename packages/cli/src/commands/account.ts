/** The commands about the link of this machine to an account. */
import type { Command } from '../command.ts';

export const login: Command = {
  name: 'login',
  summary: 'Link this machine to your account',
  description:
    'Prints an address and a match code. Open the address in a browser, compare the code, and approve. The credential ' +
    'then stays on this machine, in the keyring of the system or in a file that only you can read.',
  options: [
    { form: '--no-browser', summary: 'Open no browser; print the address alone' },
    { form: '--force', summary: 'Link anew, though this machine is linked already' },
  ],
  examples: [
    { command: 'svc login', does: 'Link this machine' },
    {
      command: 'SVC_API_BASE_URL=https://svc.example.com svc login',
      does: 'Link it to a service of your own, which is remembered',
    },
  ],
  load: () => import('../login/login.ts'),
};

export const logout: Command = {
  name: 'logout',
  summary: 'Give up the credential of this machine',
  description:
    'The service revokes it and this machine forgets it. Without a connection it is only forgotten; revoke the device in ' +
    'the browser then.',
  examples: [{ command: 'svc logout', does: 'Unlink this machine' }],
  load: () => import('../login/logout.ts'),
};

export const whoami: Command = {
  name: 'whoami',
  summary: 'Show the account and the device that are linked',
  examples: [
    { command: 'svc whoami', does: 'Show who is linked' },
    { command: 'svc whoami --json', does: 'The same for a script' },
  ],
  load: () => import('../login/whoami.ts'),
};
