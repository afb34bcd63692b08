/** Accounts and browser sessions. */
import Type, { type Static } from 'typebox';
import { limits } from './limits.ts';
import { closed, LENGTH_KEY, line, recordId, text, timestamp } from './schema.ts';

/** The syntax that browsers accept in an email field, so that every address from the pages is valid. */
const EMAIL =
  /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*$/;

/** The form in which email addresses are stored and compared. */
export function normalizeEmail(email: string): string {
  return email.trim().toLowerCase();
}

/** True if the normalized value is a single email address. */
export function isEmail(value: string): boolean {
  const email = normalizeEmail(value);
  return email.length <= limits.emailLengthMax && EMAIL.test(email);
}

export const Email = Type.Refine(
  Type.String({
    description: 'One email address. It is not verified; the service never sends email.',
    [LENGTH_KEY]: [3, limits.emailLengthMax],
  }),
  isEmail,
  () => `must be one email address of at most ${limits.emailLengthMax} characters`,
);

/** A new password. The server checks more than its length. */
export const NewPassword = text(limits.passwordLengthMin, limits.passwordLengthMax, {
  description:
    'Any characters. The server rejects passwords that are common or easy to guess, and those that contain the name part of the email.',
});

/** A password to verify. Its bounds accept every password that an account can have. */
export const PasswordTried = text(1, limits.passwordLengthMax * 2);

export const RecoveryCodeTried = text(1, 100, { description: 'Case and hyphens are ignored.' });

export const RecoveryCode = Type.String({
  pattern: '^[0-9A-HJKMNP-TV-Z]{5}(-[0-9A-HJKMNP-TV-Z]{5}){4}$',
  description: 'Shown once. It resets a lost password and is then replaced.',
});

export const User = closed(
  {
    userId: recordId('usr'),
    email: Type.String(),
    displayName: Type.String(),
    createdAt: timestamp,
    isPlatformAdmin: Type.Boolean(),
  },
  { title: 'User' },
);
export type User = Static<typeof User>;

export const SignupBody = closed({
  email: Email,
  password: NewPassword,
  displayName: Type.Optional(line(1, limits.displayNameLengthMax)),
  setupToken: Type.Optional(
    text(1, limits.setupTokenLengthMax, {
      description:
        "For the platform administrator's first sign-up. The server's log names the file that contains it.",
    }),
  ),
  invitation: Type.Optional(
    text(1, 200, {
      description:
        'The token of an open invitation, where sign-up requires one. Signing up does not accept the invitation.',
    }),
  ),
});

export const LoginBody = closed({ email: Email, password: PasswordTried });

export const RecoverBody = closed({
  email: Email,
  recoveryCode: RecoveryCodeTried,
  newPassword: NewPassword,
  keepDevices: Type.Optional(
    Type.Boolean({ description: 'Keep the devices connected; otherwise all of them are revoked.' }),
  ),
});

export const PasswordAgainBody = closed({ password: PasswordTried });

export const ChangePasswordBody = closed({
  password: PasswordTried,
  newPassword: NewPassword,
  revokeDevices: Type.Optional(Type.Boolean({ description: 'Also revoke all devices of the account.' })),
});

export const UserResponse = closed({ user: User });

export const UserWithRecoveryCode = closed({ user: User, recoveryCode: RecoveryCode });

function signInFact(description: string) {
  return Type.String({ description });
}

export const Session = closed(
  {
    sessionId: recordId('ses'),
    createdAt: timestamp,
    /** The last use, rounded to the hour. */
    lastSeenAt: timestamp,
    /** When the session ends unless it is used before then; at most 30 days after it began. */
    expiresAt: timestamp,
    current: Type.Boolean(),
    system: signInFact('Operating system at sign-in, or `unknown`.'),
    browser: signInFact('Browser at sign-in, or `unknown`.'),
    network: signInFact('Network at sign-in, such as `203.0.113.0/24` or `2001:db8:1::/48`.'),
  },
  { title: 'Session' },
);
export type Session = Static<typeof Session>;

/** Passwords are compared as the UTF-8 bytes of their NFC form, so that every keyboard produces the same bytes. */
export function passwordBytes(password: string): Uint8Array {
  return new TextEncoder().encode(password.normalize('NFC'));
}
