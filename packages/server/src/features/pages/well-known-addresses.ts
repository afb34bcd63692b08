/**
 * `/.well-known/security.txt` (RFC 9116): the contact for reporting a vulnerability. It exists only when the operator
 * configures a contact.
 */
import type { FastifyInstance } from 'fastify';
import { DAY_MS, type Clock } from '#platform/clock';

const LIFETIME_MS = 180 * DAY_MS;
const PATH = '/.well-known/security.txt';

export function registerSecurityText(
  app: FastifyInstance,
  { appBaseUrl, clock }: { readonly appBaseUrl: string; readonly clock: Clock },
  contact: string,
): void {
  app.get(PATH, async (_request, reply) => {
    const expires = new Date(clock.now() + LIFETIME_MS).toISOString();
    return reply
      .type('text/plain; charset=utf-8')
      .send(`Contact: ${contact}\nExpires: ${expires}\nCanonical: ${appBaseUrl}${PATH}\n`);
  });
}
