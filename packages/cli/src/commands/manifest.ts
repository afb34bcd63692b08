/** The commands with which an operator signs releases. They need no service and no network. */
import type { Command } from '../command.ts';

export const manifestKeygen: Command = {
  name: 'manifest keygen',
  summary: 'Make a key that releases are signed with',
  description:
    'Writes the private key for its owner alone, and the public one beside it, under the same name with .pub. Neither ' +
    'replaces a file that is there.',
  options: [{ form: '--output <file>', summary: 'Where the private key goes' }],
  examples: [
    { command: 'svc manifest keygen --output release.key', does: 'Make a key, and print the public one' },
  ],
  load: () => import('../manifest/keygen.ts'),
};

export const manifestSign: Command = {
  name: 'manifest sign',
  summary: 'Sign a release, so that clients may install it',
  description:
    'Takes a release as docs/RELEASING.md describes it. Where an artifact names a file, its size and digest are taken from ' +
    'that. A manifest that is signed already gets one more signature over the same release.',
  arguments: [
    { form: '<release>', summary: 'The release as JSON, or a signed manifest; - for standard input' },
  ],
  options: [
    { form: '--key <files...>', summary: 'The private keys to sign with' },
    { form: '--output <file>', summary: 'Where the manifest goes' },
    { form: '--force', summary: 'Replace the file that is there, in one step' },
  ],
  examples: [
    {
      command: 'svc manifest sign release.json --key release.key --output manifest.json',
      does: 'Sign a release',
    },
    {
      command: 'svc manifest sign manifest.json --key next.key --output manifest.json --force',
      does: 'Sign it with the next key as well',
    },
  ],
  load: () => import('../manifest/sign.ts'),
};

export const manifestVerify: Command = {
  name: 'manifest verify',
  summary: 'See whether a signed manifest would be accepted',
  description: 'By the public keys that are given, or else by those that this svc trusts.',
  arguments: [{ form: '<manifest>', summary: 'The signed manifest; - for standard input' }],
  options: [{ form: '--key <keys...>', summary: 'Public keys, or files that hold one' }],
  examples: [
    {
      command: 'svc manifest verify manifest.json --key release.key.pub',
      does: 'Look at it before it is served',
    },
  ],
  load: () => import('../manifest/verify.ts'),
};
