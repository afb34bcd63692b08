/** The sign-in page. */
import { useQueryClient } from '@tanstack/react-query';
import { useRouter, useSearch } from '@tanstack/react-router';
import { OtherWaysIn } from '../features/auth/other-ways-in.tsx';
import { setUser } from '../features/auth/session.ts';
import { SignInForm } from '../features/auth/sign-in-form.tsx';
import { nextLocation } from '../lib/next.ts';
import { Page } from '../ui/page.tsx';

export function LogInPage() {
  const { next } = useSearch({ from: '/login' });
  const queries = useQueryClient();
  const router = useRouter();
  return (
    <Page title="Sign in" width="narrow">
      <SignInForm
        onSignedIn={async (user) => {
          setUser(queries, user);
          await router.navigate(nextLocation(next));
        }}
      />
      <OtherWaysIn except="login" next={next} />
    </Page>
  );
}
