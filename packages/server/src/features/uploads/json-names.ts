/** The number of fields in a parsed JSON value, over all depths. */
export function namesIn(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  let names = 0;
  if (Array.isArray(value)) {
    for (const item of value) names += namesIn(item);
    return names;
  }
  for (const name of Object.keys(value)) names += 1 + namesIn((value as Record<string, unknown>)[name]);
  return names;
}
