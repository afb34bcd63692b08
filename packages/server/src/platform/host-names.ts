/** Host names as `Host` headers and settings spell them. */

/** A name, or an address with the brackets of IPv6. */
const HOST = /^(?:\[[\da-f:.]+\]|[\w.-]+)$/;

/** The name or address in a `Host` header: in lower case, without the port. Null when there is none. */
export function hostNameIn(header: string): string | null {
  const name = header.toLowerCase().replace(/:\d*$/, '');
  return HOST.test(name) ? name : null;
}

/** A fully qualified name may end in a dot. */
export function withoutFinalDot(name: string): string {
  return name.replace(/\.$/, '');
}

/** Host names separated by commas, each as a browser sends it; undefined if one of them is something else. */
export function parseHostNames(value: string): readonly string[] | undefined {
  const names = value.split(',').map((name) => parseHostName(name.trim()));
  return names.every((name) => name !== undefined) ? names : undefined;
}

function parseHostName(given: string): string | undefined {
  // Without user, port and path, which the address would lose.
  if (!/^(?:\[[^\]]*\]|[^:/\\?#@[\]]+)$/.test(given) || !URL.canParse(`http://${given}`)) return undefined;
  const name = withoutFinalDot(new URL(`http://${given}`).hostname);
  return HOST.test(name) ? name : undefined;
}
