/** Links between the sign-in, sign-up and recovery pages, which keep the page to continue with. */
import { Link } from '@tanstack/react-router';
import { offersSignUp } from '../../lib/sign-up-policy.ts';

const ways = [
  { name: 'login', to: '/login', question: 'Already have an account?', action: 'Sign in' },
  { name: 'signup', to: '/signup', question: 'New here?', action: 'Create account' },
  { name: 'recover', to: '/recover', question: 'Lost your password?', action: 'Use your recovery code' },
] as const;

export interface OtherWaysInProps {
  readonly except: (typeof ways)[number]['name'];
  readonly next: string | undefined;
}

export function OtherWaysIn({ except, next }: OtherWaysInProps) {
  return (
    <ul className="flex flex-col gap-1 text-quiet">
      {ways
        .filter(({ name }) => name !== except && (name !== 'signup' || offersSignUp(next)))
        .map(({ name, to, question, action }) => (
          <li key={name}>
            {question}{' '}
            <Link
              to={to}
              search={next === undefined ? {} : { next }}
              className="text-accent-text underline underline-offset-2"
            >
              {action}
            </Link>
          </li>
        ))}
    </ul>
  );
}
