/** The subscription on the workspace page, in a real browser. */
import { DAY_MS } from '@svc/contract/durations';
import {
  BILLING_SECRET,
  createFakeClock,
  createTeam,
  newSubscriptionId,
  sendEvent,
  subscriptionEvent,
} from '@svc/testkit';
import { expect, test } from 'vitest';
import { browserSuite, describePages } from './browser-suite.ts';

describePages('the subscription of a workspace', () => {
  const clock = createFakeClock(Date.now());
  const { server, visit } = browserSuite({ clock, config: { billingWebhookSecrets: [BILLING_SECRET] } });
  const dayOf = (time: number) =>
    new Date(time).toLocaleDateString('en-GB', {
      day: 'numeric',
      month: 'long',
      year: 'numeric',
      timeZone: 'UTC',
    });

  test('[D18] the plan section shows whether the subscription is active, ending, overdue or ended', async () => {
    const [owner, member] = [await server.signUp(), await server.signUp()];
    const team = await createTeam(owner, [member]);
    const { page } = await visit(`/workspaces/${team}`, { cookie: member.cookie });
    const part = (name: string) => page.getByRole('region', { name, exact: true });
    await part('Free plan').getByRole('meter', { name: 'Today' }).waitFor();
    expect(
      await part('Free plan')
        .getByText(/subscription|Paid until/)
        .count(),
    ).toBe(0);

    const subscription = newSubscriptionId();
    for (const [status, also, plan, message] of [
      ['trialing', {}, 'Pro plan', 'On trial until'],
      ['active', {}, 'Pro plan', 'Paid until'],
      ['active', { cancel_at_period_end: true }, 'Pro plan', 'Ends on'],
    ] as const) {
      clock.advance(1000);
      await sendEvent(
        server,
        subscriptionEvent({ at: clock.now(), workspaceId: team, subscription, status, also }),
      );
      await page.reload();
      await part(plan)
        .getByText(`${message} ${dayOf(clock.now() + 30 * DAY_MS)}.`)
        .waitFor();
    }
    for (const [status, plan, message] of [
      ['past_due', 'Pro plan', 'Payment is overdue.'],
      ['unpaid', 'Free plan', 'is unpaid'],
      ['paused', 'Free plan', 'is paused'],
      ['incomplete', 'Free plan', 'is waiting for its first payment'],
      ['canceled', 'Free plan', 'The subscription has ended.'],
    ] as const) {
      clock.advance(1000);
      await sendEvent(
        server,
        subscriptionEvent({ at: clock.now(), workspaceId: team, subscription, status }),
      );
      await page.reload();
      await part(plan).getByText(message).waitFor();
    }
  });
});
