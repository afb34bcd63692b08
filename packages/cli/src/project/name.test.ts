import { expect, test } from 'vitest';
import { nameInRemote } from './name.ts';

test.each([
  ['https://host.example/acme/shop.git\n', 'shop'],
  ['git@host.example:acme/shop', 'shop'],
  ['git@host.example:shop.git', 'shop'],
  ['ssh://git@host.example:22/acme/shop/', 'shop'],
  ['C:\\work\\shop', 'shop'],
  ['https://host.example/acme/shop.git?token=abc', 'shop'],
  ['https://host.example/acme/shop/#token/abc', 'shop'],
  ['/srv/git/shop.git', 'shop'],
  ['https://host.example/acme/sh\u001B[2Jop', 'sh[2Jop'],
])('the remote %j gives the name %s', (remote, name) => {
  expect(nameInRemote(remote)).toBe(name);
});

test.each([null, '', '\n', '///'])('%j gives no name', (remote) => {
  expect(nameInRemote(remote)).toBeNull();
});
