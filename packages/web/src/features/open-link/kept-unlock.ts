/**
 * The unlock token of a share, kept for the browser session: a reload does not ask for the password again. The password
 * itself is never kept.
 */
import { tabStore } from '../../lib/browser-storage.ts';

const keyOf = (slug: string) => `share unlock ${slug}` as const;

export function keptUnlock(slug: string): string | undefined {
  return tabStore.get(keyOf(slug)) ?? undefined;
}

/** @param token undefined removes it. */
export function keepUnlock(slug: string, token: string | undefined): void {
  if (token === undefined) tabStore.remove(keyOf(slug));
  else tabStore.set(keyOf(slug), token);
}

/** False if the browser blocks storage, so that a reload asks again. */
export function outlivesReloads(): boolean {
  return tabStore.isLasting();
}
