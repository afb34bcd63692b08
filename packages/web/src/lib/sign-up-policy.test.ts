import { expect, test } from 'vitest';
import { invitationIn } from './sign-up-policy.ts';

const token = 'A1b2'.repeat(8);

test('[D24] invitationIn returns the token of an invitation URL, and nothing for any other URL', () => {
  expect(invitationIn(`/invitations/${token}`)).toBe(token);
  for (const next of [
    undefined,
    '',
    '/settings',
    `/invitations/${token}x`,
    `/invitations/${token.slice(1)}`,
    `//evil.test/invitations/${token}`,
    `https://evil.test/invitations/${token}`,
    `/invitations/${token}/more`,
  ])
    expect(invitationIn(next)).toBeUndefined();
});
