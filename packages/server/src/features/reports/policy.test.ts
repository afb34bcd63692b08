import { expect, test } from 'vitest';
import { accessOf, isExpired } from './policy.ts';

const report = { ownerId: 'usr_owner' };

test.each([
  ['the owner', { userId: 'usr_owner', isMember: true, isAdministrator: false }, 'owner'],
  [
    'an owner who is an administrator',
    { userId: 'usr_owner', isMember: true, isAdministrator: true },
    'owner',
  ],
  ['a member', { userId: 'usr_other', isMember: true, isAdministrator: false }, 'member'],
  ['a member who is an administrator', { userId: 'usr_other', isMember: true, isAdministrator: true }, null],
  ['a stranger', { userId: 'usr_other', isMember: false, isAdministrator: false }, null],
  ['an administrator', { userId: 'usr_other', isMember: false, isAdministrator: true }, null],
])('[D17] %s', (_who, viewer, access) => {
  expect(accessOf(report, viewer)).toBe(access);
});

test('[D6] the clock decides what is expired, whatever the sweeper has come to', () => {
  expect(isExpired({ state: 'live', expiresAt: 1000 }, 999)).toBe(false);
  expect(isExpired({ state: 'finalized', expiresAt: 1000 }, 1000)).toBe(true);
  expect(isExpired({ state: 'expired', expiresAt: 1000 }, 0)).toBe(true);
});
