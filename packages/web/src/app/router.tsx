/** The addresses of the pages. Each page is loaded when it is first wanted. */
import type { QueryClient } from '@tanstack/react-query';
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
} from '@tanstack/react-router';
import { findUser } from '../features/auth/session.ts';
import { isRefusal } from '../lib/api.ts';
import { FailedPage, NotFound } from '../ui/failure.tsx';
import { Waiting } from '../ui/waiting.tsx';
import { Layout } from './layout.tsx';

interface RouterContext {
  readonly queries: QueryClient;
}

const root = createRootRouteWithContext<RouterContext>()({
  loader: ({ context }) => findUser(context.queries),
  component: Layout,
  notFoundComponent: NotFound,
});

/** Where to go on once signed in. */
const withNext = (search: Record<string, unknown>): { next?: string } =>
  typeof search['next'] === 'string' ? { next: search['next'] } : {};

const home = createRoute({
  getParentRoute: () => root,
  path: '/',
  component: lazyRouteComponent(() => import('../pages/home.tsx'), 'HomePage'),
});
const signUp = createRoute({
  getParentRoute: () => root,
  path: '/signup',
  validateSearch: withNext,
  component: lazyRouteComponent(() => import('../pages/signup.tsx'), 'SignUpPage'),
});
const logIn = createRoute({
  getParentRoute: () => root,
  path: '/login',
  validateSearch: withNext,
  component: lazyRouteComponent(() => import('../pages/login.tsx'), 'LogInPage'),
});

/** Pages for whoever is signed in; others are asked to, and come back. */
const signedIn = createRoute({
  getParentRoute: () => root,
  id: 'signed-in',
  async beforeLoad({ context, location }) {
    if ((await findUser(context.queries)) === null)
      // What the router is told by throwing.
      // oxlint-disable-next-line typescript/only-throw-error
      throw redirect({ to: '/login', search: { next: location.href } });
  },
});
const settings = createRoute({
  getParentRoute: () => signedIn,
  path: '/settings',
  component: lazyRouteComponent(() => import('../pages/settings.tsx'), 'SettingsPage'),
});

const routes = root.addChildren([home, signUp, logIn, signedIn.addChildren([settings])]);

export function createPagesRouter(queries: QueryClient) {
  return createRouter({
    routeTree: routes,
    context: { queries },
    scrollRestoration: true,
    defaultPendingComponent: () => <Waiting what="the page" />,
    defaultErrorComponent: ({ error, reset }) =>
      isRefusal(error, 'NOT_FOUND') ? <NotFound /> : <FailedPage error={error} onRetry={reset} />,
  });
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createPagesRouter>;
  }
}
