/** The number of fields in a parsed JSON value, over all depths. */
export function namesIn(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  let names = 0;
  if (Array.isArray(value)) {
    for (const item of value) {
      if (typeof item === 'object') names += namesIn(item);
    }
    return names;
  }
  for (const name in value) {
    const inner = (value as Record<string, unknown>)[name];
    names += 1;
    if (typeof inner === 'object') names += namesIn(inner);
  }
  return names;
}
