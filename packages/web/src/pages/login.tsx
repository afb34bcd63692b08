/** Signing in. */
import { useQueryClient } from '@tanstack/react-query';
import { Link, useRouter, useSearch } from '@tanstack/react-router';
import { setUser } from '../features/auth/session.ts';
import { ask, isRefusal } from '../lib/api.ts';
import { safeNext } from '../lib/next.ts';
import { PasswordField, TextField } from '../ui/field.tsx';
import { Form, SubmitButton, type Fields } from '../ui/form.tsx';
import { Page } from '../ui/page.tsx';

export function LogInPage() {
  const search = useSearch({ from: '/login' });
  const queries = useQueryClient();
  const router = useRouter();
  async function logIn({ email = '', password = '' }: Fields) {
    const { user } = await ask('logIn', { body: { email, password } });
    setUser(queries, user);
    await router.navigate({ href: safeNext(search.next), replace: true });
  }
  return (
    <Page title="Sign in" width="narrow">
      <Form onSend={logIn} wordsFor={wordsFor}>
        <TextField label="Email" name="email" type="email" autoComplete="username" required />
        <PasswordField label="Password" name="password" autoComplete="current-password" required />
        <SubmitButton>Sign in</SubmitButton>
      </Form>
      <p className="text-quiet">
        New here?{' '}
        <Link to="/signup" search={search} className="text-accent-text underline">
          Make an account
        </Link>
      </p>
    </Page>
  );
}

function wordsFor(error: unknown): string | undefined {
  return isRefusal(error, 'UNAUTHENTICATED')
    ? 'The email or the password is wrong. Check both, or use your recovery code.'
    : undefined;
}
