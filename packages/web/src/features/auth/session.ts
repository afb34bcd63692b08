/** Who is signed in. */
import { useSuspenseQuery, type QueryClient } from '@tanstack/react-query';
import type { User } from '@svc/contract';
import { discardEvents } from '../../lib/analytics.ts';
import { ask, isApiError, queryKey, reasonOf } from '../../lib/api.ts';

const queryKeyOfSession = queryKey('getSession');

/** The user of the page, even after the session has ended; null if nobody has been signed in. */
const sessionQuery = {
  queryKey: queryKeyOfSession,
  async queryFn({ client: queries }: { client: QueryClient }): Promise<{ user: User } | null> {
    const now = await session();
    const before = queries.getQueryData<{ user: User }>(queryKeyOfSession);
    // Without a session the page keeps its user. When a call needs a session, a dialog asks them to sign in.
    if (!now || !before) return now ?? before ?? null;
    if (now.user.userId === before.user.userId) return now;
    // Another account has signed in elsewhere. The page belongs to the previous one, so load a new document.
    location.reload();
    return before;
  },
};

async function session(): Promise<{ user: User } | null> {
  try {
    return await ask('getSession');
  } catch (error) {
    if (isApiError(error, 'UNAUTHENTICATED')) return null;
    throw error;
  }
}

export async function findUser(queries: QueryClient): Promise<User | null> {
  return (await queries.query({ ...sessionQuery, staleTime: 'static' }))?.user ?? null;
}

export function useUser(): User | null {
  return useSuspenseQuery(sessionQuery).data?.user ?? null;
}

/** A sign-in that succeeded and did not last. Its message tells the user why. */
export class SessionLostError extends Error {
  override readonly name = 'SessionLostError';
}

/**
 * Call after signing in. Only another request shows whether the browser kept the cookie.
 * @throws SessionLostError; ApiError and ConnectionError if that is unknown.
 */
export async function expectSession(): Promise<void> {
  try {
    await ask('getSession');
  } catch (error) {
    if (!isApiError(error, 'UNAUTHENTICATED')) throw error;
    throw new SessionLostError(
      reasonOf(error) === 'several_cookies'
        ? error.message
        : 'Your browser blocks cookies for this site. Allow them, then sign in.',
      { cause: error },
    );
  }
}

/** Call when the signed-in account changes: drops all data of the previous one. */
export function setUser(queries: QueryClient, user: User | null): void {
  discardEvents();
  // A pending response would belong to the previous account.
  void queries.cancelQueries({ queryKey: queryKeyOfSession });
  queries.removeQueries({ predicate: ({ queryKey: [name] }) => name !== queryKeyOfSession[0] });
  queries.setQueryData(queryKeyOfSession, user && { user });
}

/** Ends the session and loads a new document, so that no data of the session remains. */
export async function signOut(next = '/'): Promise<void> {
  await ask('logOut');
  location.assign(next);
}
