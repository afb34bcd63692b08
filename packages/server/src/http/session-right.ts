/** The part of a reader's permission that ends with their session. */
import { AppError } from '#app-error';
import type { CredentialLookup } from '#http/credentials';
import { topics } from '#platform/bus/topics';
import type { SendingRight } from '#prepared';
import type { SessionPrincipal } from '#principal';

export function sessionRightBy(
  lookup: Pick<CredentialLookup, 'openSessions'>,
): (session: SessionPrincipal) => SendingRight {
  return ({ userId, sessionId }) => ({
    topics: [topics.user(userId)],
    endsAt: Infinity,
    async recheck() {
      const endsAt = (await lookup.openSessions([sessionId])).get(sessionId);
      if (endsAt === undefined) throw new AppError('UNAUTHENTICATED');
      return endsAt;
    },
  });
}
