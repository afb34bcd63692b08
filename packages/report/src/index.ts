/**
 * The pure core: the canonical report, intake and import of findings, secrets, and projections. No I/O, clock or
 * randomness.
 */
export * from './intake/adjustments.ts';
export * from './following/overlays.ts';
export * from './model/canonical.ts';
export * from './following/carrying.ts';
export * from './following/moved-identities.ts';
export * from './following/compare.ts';
export * from './intake/deduplication.ts';
export * from './projection/filtered-report.ts';
export { withFingerprints } from './identity/distinct-fingerprints.ts';
export * from './identity/fingerprint.ts';
export { sha256Hex } from './identity/sha256.ts';
export * from './intake/intake.ts';
export * from './intake/left-out.ts';
export * from './identity/location.ts';
export * from './following/finding-facts.ts';
export * from './following/finding-snapshots.ts';
export * from './listing/finding-texts.ts';
export * from './following/matching.ts';
export * from './following/open-counts.ts';
export * from './projection/projection.ts';
export * from './model/published-schema.ts';
export * from './secrets/redact.ts';
export * from './intake/redact-category.ts';
export { codeTagOf } from './identity/identity-tags.ts';
export { contextOf, withoutSpace, type Lines } from './identity/line-context.ts';
export { withoutDeepParts } from './sarif/deep-parts.ts';
export * from './sarif/import.ts';
export { repaired, repairsSentence, type Repair } from './intake/schema-repair.ts';
export * from './secrets/secrets.ts';
export * from './secrets/secrets-in-json.ts';
export { canonicalPolicy, isAllAllowing, narrows } from './projection/share-policy.ts';
export * from './model/status.ts';
export * from './following/succession.ts';
export { toolAreaId } from './reading/coverage.ts';
export * from './reading/recorded-finding.ts';
export { folded } from './reading/looked-again.ts';
