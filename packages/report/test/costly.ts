import fc from 'fast-check';

/** The number of runs of a property whose cases take milliseconds each: a fifth of the default. */
export function costlyRuns(): number {
  return Math.ceil((fc.readConfigureGlobal().numRuns ?? 100) / 5);
}
