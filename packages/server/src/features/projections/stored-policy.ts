/**
 * Policies as text in the database. A version before `minSeverity` would ignore it and show more than allowed, so a policy
 * with one is stored in a form that shows no findings to such a version: during an upgrade, and after going back.
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
