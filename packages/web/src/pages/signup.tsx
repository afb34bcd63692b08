/** Making an account; then its recovery code, which is shown this once. */
import { useQueryClient } from '@tanstack/react-query';
import { Link, useRouter, useSearch } from '@tanstack/react-router';
import { limits } from '@svc/contract';
import { useState } from 'react';
import { RecoveryCode } from '../features/auth/recovery-code.tsx';
import { setUser } from '../features/auth/session.ts';
import { ask, isRefusal, type BodyFor } from '../lib/api.ts';
import { safeNext } from '../lib/next.ts';
import { PasswordField, TextField } from '../ui/field.tsx';
import { Form, SubmitButton, type Fields } from '../ui/form.tsx';
import { Page } from '../ui/page.tsx';

export function SignUpPage() {
  const search = useSearch({ from: '/signup' });
  const queries = useQueryClient();
  const router = useRouter();
  const [made, setMade] = useState<BodyFor<'signUp'> | null>(null);
  async function signUp({ email = '', password = '', displayName = '' }: Fields) {
    const name = displayName.trim();
    setMade(
      await ask('signUp', { body: { email, password, ...(name === '' ? {} : { displayName: name }) } }),
    );
  }
  if (made) {
    return (
      <Page title="Keep your recovery code" width="narrow">
        <RecoveryCode
          code={made.recoveryCode}
          email={made.user.email}
          onKept={() => {
            setUser(queries, made.user);
            void router.navigate({ href: safeNext(search.next), replace: true });
          }}
        />
      </Page>
    );
  }
  return (
    <Page title="Make an account" width="narrow">
      <Form onSend={signUp} wordsFor={wordsFor}>
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
        <PasswordField
          label="Password"
          name="password"
          autoComplete="new-password"
          required
          hint={`At least ${limits.passwordLengthMin} characters.`}
        />
        <SubmitButton>Make the account</SubmitButton>
      </Form>
      <p className="text-quiet">
        You have one?{' '}
        <Link to="/login" search={search} className="text-accent-text underline">
          Sign in
        </Link>
      </p>
    </Page>
  );
}

function wordsFor(error: unknown): string | undefined {
  return isRefusal(error, 'CONFLICT')
    ? 'There is an account of this email already. Sign in instead.'
    : undefined;
}
