/** The routes of the pages. Each page is loaded on first use. */
import type { QueryClient } from '@tanstack/react-query';
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  notFound,
  redirect,
} from '@tanstack/react-router';
import { findUser } from '../features/auth/session.ts';
import { projectOrders, reportOrderIn, type ReportOrder } from '../features/overview/orders.ts';
import { shareOrders } from '../features/shares/orders.ts';
import { findingsSearchIn, type FindingsSearch } from '../features/workspace-findings/address.ts';
import { nextLocation } from '../lib/next.ts';
import { orderIn } from '../lib/order.ts';
import { NotFound } from '../ui/failure.tsx';
import { PageSkeleton } from '../ui/skeleton.tsx';
import {
  prefetchFindings,
  prefetchOverview,
  prefetchProject,
  prefetchProjects,
  prefetchSettings,
  prefetchShares,
  prefetchWorkspace,
} from './prefetch.ts';
import { Failed } from './failed.tsx';
import { Layout } from './layout.tsx';
import { lazyPage } from './lazy-page.ts';

interface RouterContext {
  readonly queries: QueryClient;
}

const root = createRootRouteWithContext<RouterContext>()({
  loader: ({ context }) => findUser(context.queries),
  component: Layout,
  notFoundComponent: NotFound,
});

/** The named search parameter, if it is present. */
function textIn<Name extends string>(
  search: Record<string, unknown>,
  name: Name,
): { [Key in Name]?: string } {
  const text = search[name];
  return (typeof text === 'string' ? { [name]: text } : {}) as { [Key in Name]?: string };
}

/** The URL to continue at after signing in. */
const withNext = (search: Record<string, unknown>): { next?: string } => textIn(search, 'next');

const home = createRoute({
  getParentRoute: () => root,
  path: '/',
  async loader({ context }) {
    if ((await findUser(context.queries)) !== null) await prefetchOverview(context.queries);
  },
  component: lazyPage(() => import('../pages/home.tsx'), 'HomePage'),
});
/** Redirects signed-in users immediately. */
async function skipForUsers({
  context,
  search,
}: {
  context: RouterContext;
  search: { next?: string };
}): Promise<void> {
  if ((await findUser(context.queries)) === null) return;
  // oxlint-disable-next-line typescript/only-throw-error
  throw redirect(nextLocation(search.next));
}

const signUp = createRoute({
  getParentRoute: () => root,
  path: '/signup',
  validateSearch: (search: Record<string, unknown>): { next?: string; setup?: string } => ({
    ...withNext(search),
    ...textIn(search, 'setup'),
  }),
  beforeLoad: skipForUsers,
  component: lazyPage(() => import('../pages/signup.tsx'), 'SignUpPage'),
});
const logIn = createRoute({
  getParentRoute: () => root,
  path: '/login',
  validateSearch: withNext,
  beforeLoad: skipForUsers,
  component: lazyPage(() => import('../pages/login.tsx'), 'LogInPage'),
});
const recover = createRoute({
  getParentRoute: () => root,
  path: '/recover',
  validateSearch: withNext,
  component: lazyPage(() => import('../pages/recover.tsx'), 'RecoverPage'),
});

/** These pages need an account, but first show what it is needed for. */
const linkDevice = createRoute({
  getParentRoute: () => root,
  path: '/link/$id',
  component: lazyPage(() => import('../pages/link-device.tsx'), 'LinkDevicePage'),
});
const invitation = createRoute({
  getParentRoute: () => root,
  path: '/invitations/$token',
  component: lazyPage(() => import('../pages/invitation.tsx'), 'InvitationPage'),
});
const docs = createRoute({
  getParentRoute: () => root,
  path: '/docs',
  component: lazyPage(() => import('../pages/docs.tsx'), 'DocsPage'),
});
const install = createRoute({
  getParentRoute: () => root,
  path: '/install',
  component: lazyPage(() => import('../pages/install.tsx'), 'InstallPage'),
});
const sample = createRoute({
  getParentRoute: () => root,
  path: '/sample',
  validateSearch: (search: Record<string, unknown>): { as?: string } => textIn(search, 'as'),
  component: lazyPage(() => import('../pages/sample.tsx'), 'SamplePage'),
});

/** Pages that require a session; other users sign in first and then return. */
const signedIn = createRoute({
  getParentRoute: () => root,
  id: 'signed-in',
  async beforeLoad({ context, location }) {
    if ((await findUser(context.queries)) === null)
      // The router takes redirects as thrown values.
      // oxlint-disable-next-line typescript/only-throw-error
      throw redirect({ to: '/login', search: { next: location.href } });
  },
});
const settings = createRoute({
  getParentRoute: () => signedIn,
  path: '/settings',
  loader: ({ context }) => prefetchSettings(context.queries),
  component: lazyPage(() => import('../pages/settings.tsx'), 'SettingsPage'),
});
const workspace = createRoute({
  getParentRoute: () => signedIn,
  path: '/workspaces/$id',
  loader: ({ context, params }) => prefetchWorkspace(context.queries, params.id),
  component: lazyPage(() => import('../pages/workspace.tsx'), 'WorkspacePage'),
});
const workspaceProjects = createRoute({
  getParentRoute: () => signedIn,
  path: '/workspaces/$id/projects',
  validateSearch: (search: Record<string, unknown>) => orderIn(projectOrders, search),
  loader: ({ context }) => prefetchProjects(context.queries),
  component: lazyPage(() => import('../pages/workspace-projects.tsx'), 'WorkspaceProjectsPage'),
});
const workspaceShares = createRoute({
  getParentRoute: () => signedIn,
  path: '/workspaces/$id/shares',
  validateSearch: (search: Record<string, unknown>) => orderIn(shareOrders, search),
  loader: ({ context, params }) => prefetchShares(context.queries, params.id),
  component: lazyPage(() => import('../pages/workspace-shares.tsx'), 'WorkspaceSharesPage'),
});

const workspaceFindings = createRoute({
  getParentRoute: () => signedIn,
  path: '/workspaces/$id/findings',
  validateSearch: findingsSearchIn,
  loader: ({ context, params, cause, location }) =>
    // The page itself loads what a later search needs.
    cause === 'stay'
      ? undefined
      : prefetchFindings(context.queries, params.id, findingsSearchIn(location.search)),
  component: lazyPage(() => import('../pages/workspace-findings.tsx'), 'WorkspaceFindingsPage'),
});

const report = createRoute({
  getParentRoute: () => signedIn,
  path: '/reports/$id',
  component: lazyPage(() => import('../pages/report.tsx'), 'ReportPage'),
});

interface ProjectSearch {
  readonly tab?: string;
  /** Used by the tab with the reports. */
  readonly reports?: ReportOrder;
  /** Used by the tab with a comparison, as is `report`. */
  readonly base?: string;
  readonly report?: string;
}

const project = createRoute({
  getParentRoute: () => signedIn,
  path: '/projects/$id',
  loader: ({ context, params }) => prefetchProject(context.queries, params.id),
  validateSearch: (search: Record<string, unknown>): ProjectSearch & FindingsSearch => ({
    ...textIn(search, 'tab'),
    ...textIn(search, 'base'),
    ...textIn(search, 'report'),
    ...reportOrderIn(search['reports']),
    ...findingsSearchIn(search),
  }),
  component: lazyPage(() => import('../pages/project.tsx'), 'ProjectPage'),
});

/** The permanent address of a finding. */
const projectFinding = createRoute({
  getParentRoute: () => signedIn,
  path: '/projects/$id/findings/$findingKey',
  component: lazyPage(() => import('../pages/project-finding.tsx'), 'ProjectFindingPage'),
});

/** Pages for platform administrators. For everyone else they do not exist, and none of their code is loaded. */
const administrator = createRoute({
  getParentRoute: () => root,
  id: 'administrator',
  async beforeLoad({ context }) {
    // oxlint-disable-next-line typescript/only-throw-error
    if ((await findUser(context.queries))?.isPlatformAdmin !== true) throw notFound();
  },
});
const adminPages = () => import('../pages/admin.tsx');
const adminHealth = createRoute({
  getParentRoute: () => administrator,
  path: '/admin',
  component: lazyPage(adminPages, 'AdminHealthPage'),
});
const adminTotals = createRoute({
  getParentRoute: () => administrator,
  path: '/admin/totals',
  component: lazyPage(adminPages, 'AdminTotalsPage'),
});
const adminWorkspaces = createRoute({
  getParentRoute: () => administrator,
  path: '/admin/workspaces',
  validateSearch: (search: Record<string, unknown>): { before?: string; email?: string } => ({
    ...textIn(search, 'before'),
    ...textIn(search, 'email'),
  }),
  component: lazyPage(adminPages, 'AdminWorkspacesPage'),
});
const supportGrants = createRoute({
  getParentRoute: () => administrator,
  path: '/admin/support-grants',
  validateSearch: (search: Record<string, unknown>): { report?: string } => textIn(search, 'report'),
  component: lazyPage(adminPages, 'SupportGrantsPage'),
});
const adminAudit = createRoute({
  getParentRoute: () => administrator,
  path: '/admin/audit',
  validateSearch: (search: Record<string, unknown>): { before?: string } => textIn(search, 'before'),
  component: lazyPage(adminPages, 'AdminAuditPage'),
});
const adminUsage = createRoute({
  getParentRoute: () => administrator,
  path: '/admin/usage',
  component: lazyPage(adminPages, 'AdminUsagePage'),
});
const supportReport = createRoute({
  getParentRoute: () => administrator,
  path: '/admin/reports/$id',
  component: lazyPage(() => import('../pages/support-report.tsx'), 'SupportReportPage'),
});

const routes = root.addChildren([
  home,
  signUp,
  logIn,
  recover,
  linkDevice,
  invitation,
  docs,
  install,
  sample,
  signedIn.addChildren([
    settings,
    workspace,
    workspaceProjects,
    workspaceFindings,
    workspaceShares,
    report,
    project,
    projectFinding,
  ]),
  administrator.addChildren([
    adminHealth,
    adminTotals,
    adminWorkspaces,
    supportGrants,
    adminAudit,
    adminUsage,
    supportReport,
  ]),
]);

/** Search parameters are strings: a search for `"1.0"` is not a number and keeps its quotes. */
function parseSearch(text: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(text));
}

function stringifySearch(search: Record<string, unknown>): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(search)) if (typeof value === 'string') params.set(name, value);
  const text = params.toString();
  return text === '' ? '' : `?${text}`;
}

export function createPagesRouter(queries: QueryClient) {
  return createRouter({
    routeTree: routes,
    context: { queries },
    parseSearch,
    stringifySearch,
    // The report page restores its own scroll position, and scrolls to the finding in its URL.
    scrollRestoration: ({ location }) => !('reading' in location.state || 'finding' in location.search),
    defaultPendingComponent: PageSkeleton,
    // By default the router shows the skeleton for at least half a second so that it does not flash. It has the layout
    // of the page, so the page can follow immediately.
    defaultPendingMinMs: 0,
    defaultErrorComponent: Failed,
  });
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createPagesRouter>;
  }
}
