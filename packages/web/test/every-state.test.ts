/** Every page in every state is accessible: no axe findings, and nothing wider than the window. */
import { HOUR_MS } from '@svc/contract/durations';
import { randomUUID } from 'node:crypto';
import {
  BILLING_SECRET,
  bindProject,
  bodyOf,
  createFakeClock,
  createShell,
  createTeam,
  findingBody,
  newLocalId,
  sendEvent,
  shareOf,
  startServer,
  subscriptionEvent,
  syncReport,
} from '@svc/testkit';
import { inLane } from '@svc/testkit/lane';
import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { findingsOf, type Theme } from './axe.ts';
import { browserSuite, describePages } from './browser-suite.ts';
import type { WatchOptions } from './test-window.ts';

const OPERATOR = 'operator@example.test';
const REASON = 'Ticket 4711: the owner asked why the summary counts no findings.';
const LONG_WORD = 'averylongwordwithoutanyspace'.repeat(4);

/** The URL of a state, the steps to reach it, and the locator that shows it. */
interface State {
  /** Signs in with this cookie, for this state and the following ones. */
  readonly as?: string;
  readonly at?: string;
  readonly by?: (page: Page) => Promise<unknown>;
  readonly shows: (page: Page) => Locator;
}

/** The everyday run covers the light theme, the thorough run the dark one; both in windows of all widths. */
const theme = inLane<Theme>('light', 'dark');

const h1 = (name: string | RegExp) => (page: Page) => page.getByRole('heading', { level: 1, name });
const text = (shown: string | RegExp) => (page: Page) => page.getByText(shown).first();
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name });
const dialog = (page: Page) => page.getByRole('dialog');
const press = (name: string | RegExp) => (page: Page) => button(page, name).first().click();
const escape = (page: Page) => page.keyboard.press('Escape');

/** Share pages are a separate program. */
const isOfLink = (address: string) => address.includes('/s/');
/** Navigates within the page, since loading the program and axe takes longest. */
const follow = (page: Page, at: string) =>
  page.evaluate(
    `history.pushState({}, '', ${JSON.stringify(at)}), dispatchEvent(new PopStateEvent('popstate'))`,
  );

describePages('every state of every page is accessible', { tags: 'repeated' }, () => {
  const clock = createFakeClock(Date.now());
  const { server, watch, newcomer } = browserSuite({
    clock,
    config: {
      platformAdminEmail: OPERATOR,
      billingWebhookSecrets: [BILLING_SECRET],
      confirmAfterMs: HOUR_MS,
    },
  });

  /** Visits all states in one window. */
  async function inspect(options: WatchOptions, states: readonly State[]): Promise<void> {
    const { page, signIn } = await watch({ width: 360, ...options });
    const problems: string[] = [];
    for (const [index, { as, at, by, shows }] of states.entries()) {
      if (as !== undefined) await signIn(as);
      const isLoaded = index > 0 && as === undefined && !isOfLink(page.url());
      if (at !== undefined) await (isLoaded && !isOfLink(at) ? follow(page, at) : page.goto(at));
      await by?.(page);
      await shows(page).waitFor();
      problems.push(
        ...(await findingsOf(page, theme)).map((found) => `state ${index}, ${page.url()}: ${found}`),
      );
    }
    expect(problems).toEqual([]);
  }

  test('the pages for signed-out users are accessible', async () => {
    const pending = await server.beginLink();
    const fill = async (page: Page, email: string, password: string) => {
      await page.getByLabel('Email').fill(email);
      await page.getByLabel('Password', { exact: true }).fill(password);
      await button(page, 'Create account').click();
    };
    await inspect({}, [
      { at: `/link/${pending.publicRequestId}`, shows: h1('Connect “laptop”') },
      { at: '/sample', shows: h1('tallowmere') },
      { at: '/sample?as=customer', shows: h1('Security report') },
      { at: '/sample?finding=F-1', shows: (page) => page.getByRole('article') },
      { at: '/', shows: h1('Security reports') },
      { at: '/install', shows: text('Download, verify and install') },
      {
        by: (page) => page.getByRole('tab', { name: 'Windows' }).click(),
        shows: text('Run this in PowerShell.'),
      },
      { at: '/nothing', shows: h1('Not found') },
      { at: '/login', shows: h1('Sign in') },
      { at: '/recover', shows: h1('Reset password') },
      { at: '/signup', shows: h1('Create account') },
      { by: (page) => fill(page, 'nobody', 'short'), shows: text('This must be one email address') },
      {
        by: (page) => fill(page, 'axe@example.test', 'new horses run far away'),
        shows: h1('Save your recovery code'),
      },
    ]);
  });

  test('the API reference is accessible', { tags: 'thorough' }, async () => {
    const search = (words: string) => (page: Page) =>
      page.getByRole('searchbox', { name: 'Search' }).fill(words);
    await inspect({}, [
      {
        // Shows one operation of each kind; axe would take long for all of them.
        at: '/docs',
        by: async (page) => {
          await search('defaultPolicy')(page);
          await page.getByText(/^\d of \d+ operations/).waitFor();
          await page.getByText('Fields of SharePolicy').first().click();
        },
        shows: text('Fields of SharePolicy'),
      },
      { by: search('nothing like it'), shows: (page) => button(page, 'Show all operations') },
    ]);
  });

  test('the pages of a service with closed sign-up are accessible', async () => {
    await using closed = await startServer({ config: { platformAdminEmail: OPERATOR, signUp: 'closed' } });
    await inspect({ url: closed.url }, [
      { at: '/signup', shows: text('This service does not accept new accounts.') },
      { at: '/signup?setup', shows: h1('Create administrator') },
    ]);
  });

  test('the pages of the overview, a project and its reports are accessible', async () => {
    const [{ owner, device }, beginner] = [await newcomer(), await server.signUp()];
    const { workspaceId } = await bindProject(owner);
    const named = async (name: string) => {
      const body = { workspaceId, name, bindingPublicId: newLocalId() };
      return { workspaceId, projectId: bodyOf(await owner.api.createProject({ body })).projectId };
    };
    const [project, empty] = [await named(LONG_WORD), await named('empty')];
    const findings = [findingBody(1), { ...findingBody(2), severity: 'critical', title: LONG_WORD }];
    await syncReport(device, { project });
    const { reportId } = await syncReport(device, { project, body: { findings } });
    const live = await createShell(device, project);
    const events = (['scan_started', 'finding_recorded'] as const).map((type) => ({
      type,
      phase: 'inventory' as const,
      reportId: live.reportId,
      eventId: randomUUID(),
      occurredAt: new Date(clock.now()).toISOString(),
    }));
    bodyOf(await device.api.sendProgress({ params: { id: live.reportId }, body: { events } }));
    const report = `/reports/${reportId}`;
    await inspect({ cookie: beginner.cookie }, [
      { at: '/', shows: h1('Get started') },
      {
        as: owner.cookie,
        at: '/',
        by: (page) => page.getByText('new critical and high findings this week').waitFor(),
        shows: text('Scan running'),
      },
      { at: `/workspaces/${workspaceId}/projects`, shows: h1('Projects') },
      { at: `/workspaces/${workspaceId}/shares`, shows: text('No active share links.') },
      {
        by: (page) => page.keyboard.press('Control+K'),
        shows: (page) => page.getByRole('option', { name: 'Settings' }),
      },
      {
        by: (page) => page.getByRole('combobox').fill('nothing has this'),
        shows: text('No results.'),
      },
      {
        by: escape,
        at: `/projects/${project.projectId}`,
        shows: (page) => page.getByRole('list', { name: 'Findings' }),
      },
      {
        at: `/projects/${project.projectId}?tab=reports`,
        by: (page) => page.getByText('Show the figures').first().click(),
        shows: (page) => page.getByRole('table', { name: /^Open findings by day/ }),
      },
      {
        at: `/projects/${project.projectId}?tab=automation`,
        shows: (page) => page.getByRole('list', { name: 'Your devices' }),
      },
      { at: `/projects/${project.projectId}?tab=compare`, shows: text(/^\d new, \d fixed/) },
      { at: `/projects/${project.projectId}?tab=settings`, shows: (page) => button(page, 'Delete project…') },
      { by: press('Delete project…'), shows: (page) => dialog(page).getByLabel('Project name') },
      {
        at: `/projects/${empty.projectId}`,
        shows: (page) => page.getByRole('group', { name: 'Scan command' }),
      },
      { at: `/reports/${live.reportId}`, shows: text('1 finding so far') },
      { at: report, shows: (page) => page.getByRole('checkbox', { name: 'Select F-2' }) },
      { by: press('Filters'), shows: (page) => button(page, /^Severity/) },
      {
        by: async (page) => {
          await page.getByText(/fully covered/).click();
          await page.getByRole('checkbox', { name: 'Select F-2' }).click();
        },
        shows: (page) => page.getByRole('group', { name: 'Selected findings' }),
      },
      { by: press('Set status…'), shows: (page) => dialog(page).getByRole('group', { name: 'Reason' }) },
      { by: escape, shows: (page) => button(page, 'Set status…') },
      {
        at: `${report}?finding=F-2&severity=critical`,
        shows: (page) => page.getByRole('article').getByRole('button', { name: 'Status of F-2' }),
      },
      {
        by: (page) => page.getByText(/^Seen in \d/).click(),
        shows: (page) => page.getByRole('list', { name: 'Reports with this finding' }),
      },
      {
        by: async (page) => {
          await page.setViewportSize({ width: 1280, height: 800 });
          await button(page, 'Status of F-2').click();
        },
        shows: (page) => page.getByRole('menuitem', { name: 'Accepted risk' }),
      },
    ]);
  });

  test('a live report with a failing stream is accessible', async () => {
    const { owner, device } = await newcomer();
    const { reportId } = await createShell(device);
    await inspect({ cookie: owner.cookie, expected: /\/events\?/ }, [
      {
        at: `/reports/${reportId}`,
        by: async (page) => {
          await page.route('**/events?*', (route) => route.abort('connectionreset'));
          await page.reload();
        },
        shows: text('Live updates are paused'),
      },
    ]);
  });

  test('the share page and the share sheet are accessible', async () => {
    const { owner, device } = await newcomer();
    const { reportId } = await syncReport(device);
    const { reportId: other } = await syncReport(device);
    const [open, locked] = [
      await shareOf(owner, reportId),
      await shareOf(owner, reportId, { password: 'four green teas' }),
    ];
    await inspect({}, [
      { at: `/s/${open.slug}`, shows: h1('shop') },
      { at: `/s/${locked.slug}`, shows: h1('Password required') },
      { at: '/s/nothing', shows: h1('Share link not available') },
      {
        as: owner.cookie,
        at: `/reports/${reportId}`,
        by: press(/^Share/),
        shows: (page) => page.getByRole('list', { name: 'Active share links' }),
      },
      { by: press(/^Revoke link/), shows: (page) => button(page, 'Keep link') },
      {
        // Reloads the page, since the sheet of the previous report is still open.
        as: owner.cookie,
        at: `/reports/${other}`,
        by: async (page) => {
          await press(/^Share/)(page);
          await page.getByText('Customize').click();
          await page.getByLabel('Only the selected ones').check();
          await page.getByLabel('Require a password').check();
        },
        shows: (page) => page.getByLabel('Link password', { exact: true }),
      },
    ]);
  });

  test('the pages of a workspace are accessible', async () => {
    const [ada, bob, guest] = [
      await server.signUp({ displayName: 'Ada' }),
      await server.signUp({ displayName: 'Bob' }),
      await server.signUp(),
    ];
    const team = await createTeam(ada, [bob]);
    const project = await bindProject(ada, team);
    const { reportId } = await syncReport(await server.linkDevice(ada), { project });
    await shareOf(ada, reportId, { label: 'For the auditors' });
    await sendEvent(server, subscriptionEvent({ at: clock.now(), workspaceId: team, status: 'past_due' }));
    const { url } = bodyOf(await ada.api.createInvitation({ params: { id: team } }));
    await inspect({ cookie: ada.cookie }, [
      {
        at: `/workspaces/${team}`,
        by: async (page) => {
          await page.getByText('Payment is overdue.').waitFor();
          await page.getByRole('list', { name: 'Entries, newest first' }).waitFor();
          await page.getByRole('list', { name: 'Active share links' }).waitFor();
          await press('Create invitation link')(page);
        },
        shows: (page) => page.getByRole('group', { name: 'Invitation link' }),
      },
      { by: press('Remove Bob'), shows: dialog },
      { by: (page) => escape(page).then(() => press('Revoke For the auditors')(page)), shows: dialog },
      { as: guest.cookie, at: new URL(url).pathname, shows: h1('Join “Team”?') },
      { at: '/invitations/nothing', shows: h1('Invitation not available') },
      { at: `/workspaces/${team}`, shows: h1('Not found') },
    ]);
  });

  test('the settings are accessible', async () => {
    const [person, member] = [await server.signUp(), await server.signUp()];
    await createTeam(person, [member]);
    bodyOf(await server.anonymous.api.logIn({ body: { email: person.email, password: person.password } }));
    await server.linkDevice(person);
    const end = (page: Page) => page.getByRole('region', { name: 'Delete account' });
    await inspect({ cookie: person.cookie }, [
      { at: '/settings', shows: (page) => button(page, 'Revoke “laptop”') },
      { by: press('Revoke “laptop”'), shows: dialog },
      {
        by: async (page) => {
          await escape(page);
          await end(page).getByRole('button').click();
          await dialog(page).getByLabel('Account email').fill(person.email);
        },
        shows: dialog,
      },
      {
        by: async (page) => {
          await dialog(page).getByLabel('Password', { exact: true }).fill(person.password);
          await dialog(page).getByRole('button', { name: 'Delete account' }).click();
        },
        shows: (page) => end(page).getByRole('alert'),
      },
      {
        by: async (page) => {
          const form = page.getByRole('region', { name: 'Password', exact: true });
          await form.getByLabel('Current password', { exact: true }).fill(person.password);
          await form.getByLabel('New password', { exact: true }).fill('new horses run far away');
          bodyOf(await person.api.logOut());
          await form.getByRole('button', { name: 'Change password' }).click();
        },
        shows: (page) => page.getByRole('dialog', { name: 'Sign in to continue' }),
      },
    ]);
  });

  test('the administration pages are accessible', async () => {
    const operator = await server.signUp({ email: OPERATOR });
    const { owner, device } = await newcomer();
    const [read, other, gone] = [
      (await syncReport(device)).reportId,
      (await syncReport(device)).reportId,
      (await syncReport(device)).reportId,
    ];
    const grant = async (reportId: string) => {
      const expiresAt = new Date(clock.now() + HOUR_MS).toISOString();
      const body = { reportId, reason: REASON, expiresAt, password: operator.password };
      return bodyOf(await operator.api.createSupportGrant({ body })).grant.grantId;
    };
    bodyOf(await operator.api.revokeSupportGrant({ params: { id: await grant(other) } }));
    await grant(gone);
    bodyOf(await owner.api.deleteReport({ params: { id: gone } }));
    await grant(read);
    await inspect({ cookie: operator.cookie }, [
      { at: '/admin', shows: (page) => page.getByRole('row', { name: /^password hashing/ }) },
      { at: '/admin/totals', shows: text('Active support grants') },
      {
        at: '/admin/workspaces',
        by: (page) => page.getByRole('combobox').first().selectOption('Enterprise plan'),
        shows: (page) => dialog(page).getByRole('button', { name: 'Cancel' }),
      },
      {
        by: (page) => dialog(page).getByRole('button', { name: 'Cancel' }).click(),
        shows: (page) => page.getByRole('list', { name: 'Workspaces, newest first' }),
      },
      { at: '/admin/workspaces?email=nobody@example.test', shows: text('No account has the email') },
      {
        at: '/admin/support-grants',
        by: async (page) => {
          for (const ending of ['Revoked', 'Ended with the report'])
            await page.getByText(ending).first().waitFor();
          await press('Create support grant')(page);
        },
        shows: text('This must be'),
      },
      { at: '/admin/audit', shows: text('End of the log') },
      { at: '/admin/usage', shows: (page) => page.getByRole('row', { name: /^Report viewed/ }) },
      { at: `/admin/reports/${read}`, shows: h1('shop') },
      { at: `/admin/reports/${other}`, shows: h1('Support grant required') },
    ]);
  });

  test('the pages of a device link are accessible', async () => {
    const person = await server.signUp();
    const [pending, approved, denied, consumed] = [
      await server.beginLink(),
      await server.beginLink(),
      await server.beginLink(),
      await server.beginLink(),
    ];
    for (const { publicRequestId: id } of [approved, consumed])
      bodyOf(await person.api.approveDeviceLink({ params: { id } }));
    const params = { id: consumed.publicRequestId };
    bodyOf(await server.anonymous.api.exchangeDeviceLink({ params, body: { verifier: consumed.verifier } }));
    bodyOf(await person.api.denyDeviceLink({ params: { id: denied.publicRequestId } }));
    await inspect({ cookie: person.cookie }, [
      { at: `/link/${approved.publicRequestId}`, shows: h1('is approved') },
      { at: `/link/${consumed.publicRequestId}`, shows: h1('is connected') },
      { at: `/link/${denied.publicRequestId}`, shows: h1('was denied') },
      { at: '/link/nothing', shows: h1('Device link not found') },
      { at: `/link/${pending.publicRequestId}`, shows: (page) => button(page, 'Approve') },
    ]);
    // After this time the password must be confirmed.
    clock.advance(HOUR_MS + 1);
    const { publicRequestId } = await server.beginLink();
    await inspect({ cookie: person.cookie }, [
      {
        at: `/link/${publicRequestId}`,
        by: press('Approve'),
        shows: (page) => page.getByRole('dialog', { name: 'Confirm your password' }),
      },
    ]);
  });
});
