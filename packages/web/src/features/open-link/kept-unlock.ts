/**
 * The unlock token of a share, kept for the browser session: a reload does not ask for the password again. The password
 * itself is never kept.
 */
const nameOf = (slug: string) => `share unlock ${slug}`;

export function keptUnlock(slug: string): string | undefined {
  try {
    return sessionStorage.getItem(nameOf(slug)) ?? undefined;
  } catch {
    // The browser blocks storage. The page then asks again after a reload.
    return undefined;
  }
}

/** @param token undefined removes it. */
export function keepUnlock(slug: string, token: string | undefined): void {
  try {
    if (token === undefined) sessionStorage.removeItem(nameOf(slug));
    else sessionStorage.setItem(nameOf(slug), token);
  } catch {
    // The browser blocks storage, so nothing is kept.
  }
}
