/** How many repetitions a test does: many in the thorough run, few in every other run. */
export function inLane<Amount>(everyday: Amount, thorough: Amount): Amount {
  return process.env['SVC_TEST_LANE'] === 'thorough' ? thorough : everyday;
}

/** How many random histories a test tries; `SVC_TEST_HISTORIES` sets it. */
export function historiesIn(everyday: number, thorough: number): number {
  return Number(process.env['SVC_TEST_HISTORIES'] ?? inLane(everyday, thorough));
}

/** Every n-th of many similar cases, and the last; all of them in the thorough run. */
export function someOf<Case>(cases: readonly Case[], oneIn: number): readonly Case[] {
  return cases.filter((_, index) => index % inLane(oneIn, 1) === 0 || index === cases.length - 1);
}

/** Whether this is the thorough run, which includes the tests tagged `thorough`. */
export const isThorough = inLane(false, true);

/** An amount that is smaller in the run before a merge, which has to be short, than in one before a release. */
export function unlessShort<Amount>(short: Amount, full: Amount): Amount {
  return process.env['SVC_TEST_SHORT'] === '1' ? short : full;
}
