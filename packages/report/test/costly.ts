import fc from 'fast-check';

/** How often a property is tried whose every case takes milliseconds: a fifth as often as others. */
export function costlyRuns(): number {
  return Math.ceil((fc.readConfigureGlobal().numRuns ?? 100) / 5);
}
