/** Making an account; then its recovery code, which is shown this once. */
import { limits } from '@svc/contract/limits';
import { useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { KeepCodePage } from '../features/auth/keep-code-page.tsx';
import { NewPasswordField } from '../features/auth/new-password-field.tsx';
import { OtherWaysIn } from '../features/auth/other-ways-in.tsx';
import { ask, isRefusal, type BodyFor } from '../lib/api.ts';
import { TextField } from '../ui/field.tsx';
import { Form, SubmitButton, type Fields } from '../ui/form.tsx';
import { Page } from '../ui/page.tsx';

export function SignUpPage() {
  const { next } = useSearch({ from: '/signup' });
  const [made, setMade] = useState<BodyFor<'signUp'> | null>(null);
  async function signUp({ email = '', password = '', displayName = '' }: Fields) {
    const name = displayName.trim();
    setMade(
      await ask('signUp', { body: { email, password, ...(name === '' ? {} : { displayName: name }) } }),
    );
  }
  if (made) return <KeepCodePage {...made} next={next} />;
  return (
    <Page key="form" title="Make an account" width="narrow">
      <Form onSend={signUp} wordsFor={wordsFor} label="Make an account">
        <TextField
          label="Email"
          name="email"
          type="email"
          autoComplete="username"
          required
          hint="You sign in with it. No email is ever sent to it."
        />
        <TextField
          label="Name (optional)"
          name="displayName"
          autoComplete="name"
          maxLength={limits.displayNameLengthMax}
          hint="What other members of your workspaces see."
        />
        <NewPasswordField label="Password" name="password" />
        <SubmitButton>Make the account</SubmitButton>
      </Form>
      <OtherWaysIn except="signup" next={next} />
    </Page>
  );
}

function wordsFor(error: unknown): string | undefined {
  return isRefusal(error, 'CONFLICT')
    ? 'There is an account of this email already. Sign in instead, or use its recovery code.'
    : undefined;
}
