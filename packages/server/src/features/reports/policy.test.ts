import { expect, test } from 'vitest';
import { accessOf } from './policy.ts';

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
  const { userId, isMember, isAdministrator } = viewer;
  const report = { ownerId: 'usr_owner', memberId: isMember ? userId : null };
  expect(accessOf(report, userId, isAdministrator)).toBe(access);
});
