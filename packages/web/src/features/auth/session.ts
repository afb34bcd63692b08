/** Who is signed in. */
import { useSuspenseQuery, type QueryClient } from '@tanstack/react-query';
import type { User } from '@svc/contract';
import { forgetHappenings } from '../../lib/analytics.ts';
import { ask, isRefusal, queryKey } from '../../lib/api.ts';

/** Null for nobody. */
const sessionQuery = {
  queryKey: queryKey('getSession'),
  async queryFn(): Promise<{ user: User } | null> {
    try {
      return await ask('getSession');
    } catch (error) {
      if (isRefusal(error, 'UNAUTHENTICATED')) return null;
      throw error;
    }
  },
};

export async function findUser(queries: QueryClient): Promise<User | null> {
  return (await queries.query({ ...sessionQuery, staleTime: 'static' }))?.user ?? null;
}

export function useUser(): User | null {
  return useSuspenseQuery(sessionQuery).data?.user ?? null;
}

/** To be called when somebody else is at the keyboard: nothing that the last one saw is kept. */
export function setUser(queries: QueryClient, user: User | null): void {
  forgetHappenings();
  queries.removeQueries({ predicate: ({ queryKey: [name] }) => name !== sessionQuery.queryKey[0] });
  queries.setQueryData(sessionQuery.queryKey, user && { user });
}

/** Ends the session and begins with a new document, so that nothing is left of what was seen. */
export async function signOut(next = '/'): Promise<void> {
  await ask('logOut');
  location.assign(next);
}
