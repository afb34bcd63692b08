/** What intake stores differently from what was submitted, and the sentence that reports it. */
import { severities, type FindingSubmission } from '@svc/contract';

/** Weaknesses that are only a hint until their effect is proven. */
const CAPPED_CATEGORIES: ReadonlySet<string> = new Set([
  'missing_security_header',
  'verbose_error_message',
  'outdated_dependency_no_known_exploit_path',
]);
const CAP = 'medium';

type Rated = Pick<FindingSubmission, 'category' | 'severity' | 'verification' | 'evidence'>;

export interface Adjustment<Of> {
  readonly adjusted: Of;
  readonly warnings: readonly string[];
}

/** @param rated with a normalized category. */
export function adjustedSeverity<Of extends Rated>(rated: Of): Adjustment<Of> {
  const warnings: string[] = [];
  let { severity } = rated;
  if (severity === 'critical' && rated.verification === 'needs_review') {
    severity = 'high';
    warnings.push('severity: critical became high, because the finding needs review');
  }
  const isShown = rated.evidence.some(({ kind }) => kind === 'runtime' || kind === 'identity_differential');
  const isAboveCap = severities.indexOf(severity) < severities.indexOf(CAP);
  if (CAPPED_CATEGORIES.has(rated.category) && !isShown && isAboveCap) {
    warnings.push(
      `severity: ${severity} became ${CAP}, the highest severity for ${rated.category} without runtime or identity_differential evidence`,
    );
    severity = CAP;
  }
  return { adjusted: { ...rated, severity }, warnings };
}

/** Snake case: `Missing Security-Header` and `MissingSecurityHeader` become `missing_security_header`. */
export function normalizedCategory(category: string): string {
  return category
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/(?<=[a-z0-9])(?=[A-Z][a-z])|(?<=[A-Z]{2})(?=[A-Z][a-z])/g, '_')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replace(/^_/, '')
    .replace(/_$/, '');
}
