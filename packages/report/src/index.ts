/** The pure core: what a report is, how findings come into one, and what a secret looks like. No I/O, clock or randomness. */
export * from './canonical.ts';
