/**
 * Locations that the import writes into texts of a finding, `(at src/a.ts:7:3)`. They have one form, so that they
 * can be removed for viewers who may not see locations. The result depends on the text alone.
 */

/** Linear: a bracket is either opened here or closed here, and lengths are bounded. */
const LOCATION = / \(at (?:[^()\n]|\([^()\n]{0,200}\)){1,1200}\)/g;
const FITTING = /^(?:[^()\n]|\([^()\n]{0,200}\)){1,1000}$/;
/** `(at last)` is not a location. */
const SIGN = /[./:]/;

/** The location as text without brackets; undefined for one that could not be removed again. */
export function locationInText(location: string): string | undefined {
  return FITTING.test(location) && SIGN.test(location) ? `at ${location}` : undefined;
}

export function withoutLocations(text: string): string {
  if (!text.includes(' (at ')) return text;
  return text.replaceAll(LOCATION, (location) => (SIGN.test(location) ? '' : location));
}
