/** The pure core: what a report is, how findings come into one, and what a secret looks like. No I/O, clock or randomness. */
export * from './adjustments.ts';
export * from './amendments.ts';
export * from './canonical.ts';
export * from './compare.ts';
export * from './deduplication.ts';
export * from './filtered-report.ts';
export * from './fingerprint.ts';
export * from './intake.ts';
export * from './location.ts';
export * from './marks.ts';
export * from './projection.ts';
export * from './published-schema.ts';
export * from './redact.ts';
export * from './sarif-import.ts';
export * from './secrets.ts';
export * from './secrets-in-json.ts';
export { canonicalPolicy, isAllAllowing, narrows } from './share-policy.ts';
export * from './status.ts';
