/** The location to continue at after signing in. */

/** Returns a path on this origin; the home page for anything else, which prevents open redirects. */
export function safeNext(wish: string | undefined, origin: string = location.origin): string {
  if (wish === undefined || !URL.canParse(wish, origin)) return '/';
  const address = new URL(wish, origin);
  // `//host` and `/\host` are other origins; `javascript:` has none.
  if (address.origin !== origin) return '/';
  return address.pathname + address.search + address.hash;
}

/** Navigation options for the router. A share page is a separate document. */
export function nextLocation(wish: string | undefined) {
  const href = safeNext(wish);
  return { href, replace: true, reloadDocument: href.startsWith('/s/') } as const;
}
