/** Sign-in within a page that needs an account, with links that return to the page. */
import { useQueryClient } from '@tanstack/react-query';
import { useLocation } from '@tanstack/react-router';
import { SignInForm } from './sign-in-form.tsx';
import { OtherWaysIn } from './other-ways-in.tsx';
import { setUser } from './session.ts';

export function SignInHere() {
  const queries = useQueryClient();
  const { href } = useLocation();
  return (
    <div className="flex flex-col gap-4">
      <SignInForm onSignedIn={(user) => setUser(queries, user)} />
      <OtherWaysIn except="login" next={href} />
    </div>
  );
}
