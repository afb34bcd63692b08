/** Who is signed in. */
import { useSuspenseQuery, type QueryClient } from '@tanstack/react-query';
import type { User } from '@svc/contract';
import { forgetHappenings } from '../../lib/analytics.ts';
import { ask, isRefusal, queryKey } from '../../lib/api.ts';

const queryKeyOfSession = queryKey('getSession');

/** Null for nobody. */
const sessionQuery = {
  queryKey: queryKeyOfSession,
  async queryFn({ client: queries }: { client: QueryClient }): Promise<{ user: User } | null> {
    const now = await session();
    const before = queries.getQueryData<{ user: User }>(queryKeyOfSession);
    // The page stays with whoever uses it: they sign in over it once it needs a session.
    if (!now || !before) return now ?? before ?? null;
    if (now.user.userId === before.user.userId) return now;
    // Somebody else has signed in beside it. Nothing on it is theirs, so they are on the next document, and not on this.
    location.reload();
    return before;
  },
};

async function session(): Promise<{ user: User } | null> {
  try {
    return await ask('getSession');
  } catch (error) {
    if (isRefusal(error, 'UNAUTHENTICATED')) return null;
    throw error;
  }
}

export async function findUser(queries: QueryClient): Promise<User | null> {
  return (await queries.query({ ...sessionQuery, staleTime: 'static' }))?.user ?? null;
}

export function useUser(): User | null {
  return useSuspenseQuery(sessionQuery).data?.user ?? null;
}

/** To be called when somebody else is at the keyboard: nothing that the last one saw is kept. */
export function setUser(queries: QueryClient, user: User | null): void {
  forgetHappenings();
  // An answer that is still on its way tells of the last one.
  void queries.cancelQueries({ queryKey: queryKeyOfSession });
  queries.removeQueries({ predicate: ({ queryKey: [name] }) => name !== queryKeyOfSession[0] });
  queries.setQueryData(queryKeyOfSession, user && { user });
}

/** Ends the session and begins with a new document, so that nothing is left of what was seen. */
export async function signOut(next = '/'): Promise<void> {
  await ask('logOut');
  location.assign(next);
}
