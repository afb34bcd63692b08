/** The frame of all pages except share pages: the header, and a skip link for the keyboard. */
import { CatchBoundary, Outlet, useLocation } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { ConfirmDialog } from '../features/auth/confirm-dialog.tsx';
import { SignInDialog } from '../features/auth/sign-in-dialog.tsx';
import { useNextTask } from '../ui/next-task.ts';
import { Connection } from './connection.tsx';
import { Header } from './header.tsx';

export function Layout() {
  const isPageNext = useNextTask();
  return (
    <>
      <a
        href="#main"
        className="sr-only z-10 rounded bg-float px-3 py-2 shadow-float focus:not-sr-only focus:absolute focus:top-2 focus:left-2"
      >
        Skip to content
      </a>
      <Around>
        <Header />
        <Connection />
      </Around>
      <main id="main" tabIndex={-1} className="outline-none">
        {isPageNext ? <Outlet /> : null}
      </main>
      <Around>
        <SignInDialog />
        <ConfirmDialog />
      </Around>
    </>
  );
}

/** What surrounds the page. If it fails, the page stays: it may show what can’t be shown again. */
function Around({ children }: { readonly children: ReactNode }) {
  const path = useLocation({ select: ({ pathname }) => pathname });
  return (
    <CatchBoundary getResetKey={() => path} errorComponent={Nothing} onCatch={(error) => reportError(error)}>
      {children}
    </CatchBoundary>
  );
}

const Nothing = () => null;
