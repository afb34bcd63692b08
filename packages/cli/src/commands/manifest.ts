/** The commands that sign releases, for operators. They need no service and no network. */
import type { Command } from '../command.ts';

export const manifestKeygen: Command = {
  name: 'manifest keygen',
  summary: 'Create a key that signs releases',
  description:
    'Writes the private key to a file that only its owner can read, and the public key to the same name with .pub. ' +
    'Replaces no existing file.',
  options: [{ form: '-o, --output <file>', summary: 'The file for the private key', completes: 'files' }],
  examples: [
    { command: 'svc manifest keygen --output release.key', does: 'Create a key, and print the public key' },
  ],
  load: () => import('../manifest/keygen.ts'),
};

export const manifestSign: Command = {
  name: 'manifest sign',
  summary: 'Sign a release, so that clients can install it',
  description:
    'Takes a release as docs/RELEASING.md describes it. If an artifact names a file, its size and digest are read from that ' +
    'file. A signed manifest gets one more signature over the same release.',
  arguments: [
    {
      form: '<release>',
      summary: 'The release as JSON, or a signed manifest; - for standard input',
      completes: 'files',
    },
  ],
  options: [
    { form: '--key <files...>', summary: 'The private keys to sign with', completes: 'files', list: 'files' },
    { form: '-o, --output <file>', summary: 'The file for the manifest', completes: 'files' },
    { form: '--force', summary: 'Replace an existing file atomically' },
  ],
  examples: [
    {
      command: 'svc manifest sign release.json --key release.key --output manifest.json',
      does: 'Sign a release',
    },
    {
      command: 'svc manifest sign manifest.json --key next.key --output manifest.json --force',
      does: 'Add a signature of the next key',
    },
  ],
  load: () => import('../manifest/sign.ts'),
};

export const manifestVerify: Command = {
  name: 'manifest verify',
  summary: 'Check whether a signed manifest would be accepted',
  description:
    'Checks signature, fields, expiry, addresses, and that the release does not revoke itself. Uses the given public keys, else the keys that this svc trusts.',
  arguments: [
    { form: '<manifest>', summary: 'The signed manifest; - for standard input', completes: 'files' },
  ],
  options: [
    {
      form: '--key <keys...>',
      summary: 'Public keys, or files that contain one',
      completes: 'files',
      list: 'files',
    },
  ],
  examples: [
    {
      command: 'svc manifest verify manifest.json --key release.key.pub',
      does: 'Check a manifest before you serve it',
    },
  ],
  load: () => import('../manifest/verify.ts'),
};
