/** The frame of every page: home link, account menu, and a skip link for the keyboard. */
import { Link, Outlet, useLocation, useRouter } from '@tanstack/react-router';
import { ConfirmDialog } from '../features/auth/confirm-dialog.tsx';
import { signOut, useUser } from '../features/auth/session.ts';
import { SignInDialog } from '../features/auth/sign-in-dialog.tsx';
import icon from '../icon.svg?no-inline';
import { offersSignUp } from '../lib/sign-up-policy.ts';
import { buttonLook } from '../ui/button.tsx';
import { Menu, MenuItem } from '../ui/menu.tsx';
import { Connection } from './connection.tsx';

export function Layout() {
  return (
    <>
      <a
        href="#main"
        className="sr-only z-10 rounded bg-float px-3 py-2 shadow-float focus:not-sr-only focus:absolute focus:top-2 focus:left-2"
      >
        Skip to content
      </a>
      <header className="flex min-h-12 flex-wrap items-center justify-between gap-x-4 border-b border-line bg-surface px-4 print:hidden">
        <nav aria-label="Main" className="flex items-center gap-4">
          <Link to="/" className="flex items-center gap-2 py-2 font-strong" activeOptions={{ exact: true }}>
            <img src={icon} alt="" className="size-5" />
            svc
          </Link>
          <Link to="/docs" className="py-2 text-quiet hover:text-text">
            API
          </Link>
        </nav>
        <Account />
      </header>
      <Connection />
      <main id="main" tabIndex={-1} className="outline-none">
        <Outlet />
      </main>
      <SignInDialog />
      <ConfirmDialog />
    </>
  );
}

function Account() {
  const user = useUser();
  const router = useRouter();
  const { href } = useLocation();
  if (!user) {
    return (
      <nav aria-label="Account" className="flex items-center gap-2">
        <Link to="/login" search={{ next: href }} className={buttonLook('quiet')}>
          Sign in
        </Link>
        {offersSignUp(href) ? (
          <Link to="/signup" search={{ next: href }} className={buttonLook('plain')}>
            Sign up
          </Link>
        ) : null}
      </nav>
    );
  }
  return (
    <Menu label={user.displayName} title="Your account">
      <p className="px-2 py-1 text-small text-quiet">{user.email}</p>
      <MenuItem onSelect={() => void router.navigate({ to: '/settings' })}>Settings</MenuItem>
      {user.isPlatformAdmin ? (
        <MenuItem onSelect={() => void router.navigate({ to: '/admin' })}>Administration</MenuItem>
      ) : null}
      <MenuItem onSelect={() => void signOut()}>Sign out</MenuItem>
    </Menu>
  );
}
