/** Email and password, wherever a person signs in. */
import type { User } from '@svc/contract';
import { ask, isRefusal } from '../../lib/api.ts';
import { PasswordField, TextField } from '../../ui/field.tsx';
import { Form, SubmitButton, type Fields } from '../../ui/form.tsx';

export interface SignInFormProps {
  /** Of the only account that is asked for. */
  readonly email?: string;
  readonly onSignedIn: (user: User) => Promise<void> | void;
}

export function SignInForm({ email: onlyEmail, onSignedIn }: SignInFormProps) {
  async function logIn({ email = '', password = '' }: Fields) {
    const { user } = await ask('logIn', { body: { email, password } });
    await onSignedIn(user);
  }
  const isGiven = onlyEmail !== undefined;
  return (
    <Form onSend={logIn} wordsFor={wordsFor} label="Sign in">
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

function wordsFor(error: unknown): string | undefined {
  return isRefusal(error, 'UNAUTHENTICATED')
    ? 'The email or the password is wrong. Check both, or use your recovery code.'
    : undefined;
}
