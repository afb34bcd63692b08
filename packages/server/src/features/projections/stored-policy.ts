/**
 * Policies as text in the database. An older version does not know `minSeverity`, and would show more than allowed. So
 * a policy with `minSeverity` is stored in a form in which such a version shows no findings, during an upgrade or after
 * a downgrade.
 */
import type { SharePolicy } from '@svc/contract';

interface StoredPolicy extends SharePolicy {
  /** Replaces `findings`. */
  readonly findingsBySeverity?: SharePolicy['findings'];
}

export function policyText(policy: SharePolicy): string {
  if (policy.findings?.minSeverity === undefined) return JSON.stringify(policy);
  const { findings: findingsBySeverity, ...others } = policy;
  const stored: StoredPolicy = {
    ...others,
    findings: { mode: 'allow_listed', ids: [] },
    findingsBySeverity,
  };
  return JSON.stringify(stored);
}

export function policyIn(text: string): SharePolicy {
  const { findingsBySeverity, ...policy } = JSON.parse(text) as StoredPolicy;
  return findingsBySeverity === undefined ? policy : { ...policy, findings: findingsBySeverity };
}
