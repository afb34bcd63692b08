/** Where to go on after signing in. */

/** A path on this origin, or the first page when the wish is anything else. */
export function safeNext(wish: string | undefined, origin: string = location.origin): string {
  if (wish === undefined || !URL.canParse(wish, origin)) return '/';
  const address = new URL(wish, origin);
  // `//host` and `/\host` are other origins; `javascript:` has none.
  if (address.origin !== origin) return '/';
  return address.pathname + address.search + address.hash;
}

/** For the router. The page of a link is no page of its own, but another document. */
export function goingOn(wish: string | undefined) {
  const href = safeNext(wish);
  return { href, replace: true, reloadDocument: href.startsWith('/s/') } as const;
}
