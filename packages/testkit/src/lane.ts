/** How much of what can be repeated without end a test does: little in every run, more in the thorough one. */
export function inLane<Amount>(everyday: Amount, thorough: Amount): Amount {
  return process.env['SVC_TEST_LANE'] === 'thorough' ? thorough : everyday;
}
