/** Shows the account that an action applies to, with a way to switch it. */
import { useLocation } from '@tanstack/react-router';
import type { User } from '@svc/contract';
import { signOut } from './session.ts';

export function OwnAccount({ user }: { readonly user: User }) {
  const { href } = useLocation();
  return (
    <p className="flex flex-wrap gap-x-4">
      <span>
        Your account: <strong className="font-strong">{user.email}</strong>
      </span>
      <button
        type="button"
        onClick={() => void signOut(href)}
        className="rounded text-accent-text underline underline-offset-2"
      >
        Use another account
      </button>
    </p>
  );
}
