/** The header of all pages except share pages: workspace, its sections, search and account. */
import { Link, useLocation, useRouter } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useState } from 'react';
import { signOut, useUser } from '../features/auth/session.ts';
import { useWorkspaces } from '../features/workspaces/current.ts';
import { WorkspaceSwitcher } from '../features/workspaces/switcher.tsx';
import icon from '../icon.svg?no-inline';
import { offersSignUp } from '../lib/sign-up-policy.ts';
import { buttonLook } from '../ui/button.tsx';
import { Menu, MenuItem } from '../ui/menu.tsx';
import { sections } from './sections.ts';

export function Header() {
  const user = useUser();
  return (
    <header
      className={`flex min-h-12 items-center gap-x-2 border-b border-line bg-surface px-4 sm:px-6 print:hidden ${user ? signedInLook : 'flex-wrap'}`}
    >
      <Link
        to="/"
        className="flex shrink-0 items-center gap-2 py-2 pr-1 font-strong"
        activeOptions={{ exact: true }}
      >
        <img src={icon} alt="" className="size-5" />
        svc
      </Link>
      {user ? <SignedIn /> : <SignedOut />}
    </header>
  );
}

const linkLook =
  'flex min-h-8 pointer-coarse:min-h-11 items-center rounded px-2 text-quiet hover:bg-hover hover:text-text aria-[current=page]:bg-hover aria-[current=page]:font-strong aria-[current=page]:text-text';
/** Two rows on a phone: in a row of a grid, long names are cut and never start a third row. */
const signedInLook = 'max-md:grid max-md:grid-cols-[auto_auto_minmax(0,1fr)_auto]';
const navLook =
  'flex shrink-0 items-center gap-1 max-md:order-last max-md:col-span-full max-md:-mx-2 max-md:pb-1';

function SignedIn() {
  const workspaces = useWorkspaces();
  const { current } = workspaces;
  return (
    <>
      <span aria-hidden="true" className="text-quiet">
        /
      </span>
      <WorkspaceSwitcher workspaces={workspaces} />
      <nav aria-label="Main" className={navLook}>
        {sections.map(({ label, to }) =>
          current ? (
            <Link key={to} to={to} params={{ id: current.workspaceId }} className={linkLook}>
              {label}
            </Link>
          ) : (
            <span key={to} className={linkLook}>
              {label}
            </span>
          ),
        )}
        <Link to="/docs" className={linkLook}>
          API
        </Link>
      </nav>
      <div className="ml-auto flex min-w-0 items-center gap-1">
        <Search workspaceId={current?.workspaceId} />
        <Account />
      </div>
    </>
  );
}

function SignedOut() {
  const { href } = useLocation();
  return (
    <>
      <nav aria-label="Main">
        <Link to="/docs" className={linkLook}>
          API
        </Link>
      </nav>
      <nav aria-label="Account" className="ml-auto flex items-center gap-2">
        <Link to="/login" search={{ next: href }} className={buttonLook('quiet')}>
          Sign in
        </Link>
        {offersSignUp(href) ? (
          <Link to="/signup" search={{ next: href }} className={buttonLook('plain')}>
            Sign up
          </Link>
        ) : null}
      </nav>
    </>
  );
}

function Account() {
  const user = useUser();
  const router = useRouter();
  if (!user) return null;
  return (
    <Menu
      label={
        <>
          {/* On a phone, the name of the workspace needs the space. */}
          <svg
            viewBox="0 0 16 16"
            aria-hidden="true"
            className="size-4 shrink-0 fill-none stroke-current sm:hidden"
          >
            <circle cx="8" cy="5.5" r="2.75" strokeWidth="1.5" />
            <path d="M2.75 13.75c0-2.5 2.25-4 5.25-4s5.25 1.5 5.25 4" strokeWidth="1.5" />
          </svg>
          <bdi className="max-sm:sr-only sm:max-w-40 sm:min-w-0 sm:truncate">{user.displayName}</bdi>
        </>
      }
      title="Your account"
    >
      <p role="presentation" className="px-2 py-1 text-small text-quiet">
        {user.email}
      </p>
      <MenuItem onSelect={() => void router.navigate({ to: '/settings' })}>Settings</MenuItem>
      {user.isPlatformAdmin ? (
        <MenuItem onSelect={() => void router.navigate({ to: '/admin' })}>Administration</MenuItem>
      ) : null}
      <MenuItem onSelect={() => void signOut()}>Sign out</MenuItem>
    </Menu>
  );
}

/** Loaded when it is first opened. */
const Palette = lazy(async () => ({ default: (await import('../features/palette/palette.tsx')).Palette }));
const keyName = navigator.userAgent.includes('Mac') ? '⌘ K' : 'Ctrl K';

function Search({ workspaceId }: { readonly workspaceId: string | undefined }) {
  const [isOpen, setIsOpen] = useState(false);
  const [isLoaded, setIsLoaded] = useState(false);
  useEffect(() => {
    const open = (event: KeyboardEvent) => {
      if (
        event.key.toLowerCase() !== 'k' ||
        !(event.ctrlKey || event.metaKey) ||
        event.altKey ||
        event.shiftKey
      )
        return;
      event.preventDefault();
      if (document.querySelector('dialog[open]') !== null) return;
      setIsLoaded(true);
      setIsOpen(true);
    };
    addEventListener('keydown', open);
    return () => removeEventListener('keydown', open);
  }, []);
  return (
    <>
      <button
        type="button"
        onClick={() => {
          setIsLoaded(true);
          setIsOpen(true);
        }}
        aria-keyshortcuts="Control+K Meta+K"
        className="flex min-h-8 pointer-coarse:min-h-11 items-center gap-2 rounded border border-line bg-field px-2 whitespace-nowrap text-quiet hover:border-edge hover:text-text lg:min-w-56"
      >
        <svg viewBox="0 0 16 16" aria-hidden="true" className="size-4 shrink-0 fill-none stroke-current">
          <circle cx="7" cy="7" r="4.25" strokeWidth="1.5" />
          <path d="m10.25 10.25 3.5 3.5" strokeWidth="1.5" />
        </svg>
        <span className="max-lg:sr-only">Search</span>
        <kbd aria-hidden="true" className="ml-auto text-small max-lg:hidden">
          {keyName}
        </kbd>
      </button>
      {isLoaded ? (
        <Suspense fallback={null}>
          <Palette
            isOpen={isOpen}
            onClose={() => setIsOpen(false)}
            workspaceId={workspaceId}
            sections={sections}
          />
        </Suspense>
      ) : null}
    </>
  );
}
