/** The sign-in form. */
import type { User } from '@svc/contract';
import { ask, isApiError } from '../../lib/api.ts';
import { PasswordField, TextField } from '../../ui/field.tsx';
import { Form, SubmitButton, type Fields } from '../../ui/form.tsx';
import { expectSession, SessionLostError } from './session.ts';

export interface SignInFormProps {
  /** Restricts sign-in to this account. */
  readonly email?: string;
  readonly onSignedIn: (user: User) => Promise<void> | void;
}

export function SignInForm({ email: onlyEmail, onSignedIn }: SignInFormProps) {
  async function logIn({ email = '', password = '' }: Fields) {
    const { user } = await ask('logIn', { body: { email, password } });
    await expectSession();
    await onSignedIn(user);
  }
  const isGiven = onlyEmail !== undefined;
  return (
    <Form onSend={logIn} messageFor={messageFor} label="Sign in">
      <TextField
        label="Email"
        name="email"
        type="email"
        autoComplete="username"
        required
        {...(isGiven && { defaultValue: onlyEmail, readOnly: true })}
      />
      <PasswordField
        label="Password"
        name="password"
        autoComplete="current-password"
        required
        data-focus-first={isGiven || undefined}
      />
      <SubmitButton>Sign in</SubmitButton>
    </Form>
  );
}

function messageFor(error: unknown): string | undefined {
  if (error instanceof SessionLostError) return error.message;
  return isApiError(error, 'UNAUTHENTICATED')
    ? 'Wrong email or password. Check both, or use your recovery code.'
    : undefined;
}
