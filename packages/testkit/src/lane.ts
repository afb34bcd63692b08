/** How much of what can be repeated without end a test does: little in every run, more in the thorough one. */
export function inLane<Amount>(everyday: Amount, thorough: Amount): Amount {
  return process.env['SVC_TEST_LANE'] === 'thorough' ? thorough : everyday;
}

/** The first of each so many cases that are alike, and the last; all of them in the thorough run. */
export function someOf<Case>(cases: readonly Case[], oneIn: number): readonly Case[] {
  return cases.filter((_, index) => index % inLane(oneIn, 1) === 0 || index === cases.length - 1);
}

/** Whether this is the thorough run, which also takes the tests that are tagged `thorough`. */
export const isThorough = inLane(false, true);
