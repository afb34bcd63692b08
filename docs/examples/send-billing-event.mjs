// Sends an event as Stripe does, to see what it does: node send-billing-event.mjs <workspaceId> <lookup key> [status]
// With BILLING_WEBHOOK_SECRET as the service has it, and API_BASE_URL where it is not http://localhost:8787.
import { createHmac, randomUUID } from 'node:crypto';

const [workspaceId, lookupKey, status = 'active'] = process.argv.slice(2);
const { BILLING_WEBHOOK_SECRET: secret, API_BASE_URL: origin = 'http://localhost:8787' } = process.env;
if (!workspaceId || !lookupKey || !secret) {
  process.stderr.write(
    'Usage: BILLING_WEBHOOK_SECRET=whsec_… node send-billing-event.mjs ws_… pro [status]\n',
  );
  process.exit(2);
}

const seconds = Math.floor(Date.now() / 1000);
const subscription = {
  id: `sub_of_${workspaceId}`,
  status,
  metadata: { workspaceId },
  items: { data: [{ price: { lookup_key: lookupKey }, current_period_end: seconds + 30 * 86_400 }] },
};
const body = JSON.stringify({
  id: `evt_${randomUUID()}`,
  type: 'customer.subscription.updated',
  created: seconds,
  data: { object: subscription },
});
const signature = createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex');

try {
  const response = await fetch(`${origin}/api/v1/billing/webhook`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'stripe-signature': `t=${seconds},v1=${signature}` },
    body,
  });
  process.stdout.write(`${response.status} ${await response.text()}\n`);
} catch (error) {
  const reason = error.cause?.code ?? error.message;
  process.stderr.write(`${origin} cannot be reached (${reason}). API_BASE_URL names another.\n`);
  process.exitCode = 1;
}
