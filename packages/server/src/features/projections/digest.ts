/** By what a policy's prepared projection is found. */
import { hash } from 'node:crypto';
import type { SharePolicy } from '@svc/contract';
import { canonicalPolicy, isAllAllowing } from '@svc/report';

/** Null for a policy that hides nothing: there, reading the whole report reveals nothing. */
export function policyDigestOf(policy: SharePolicy): string | null {
  return isAllAllowing(policy) ? null : hash('sha256', canonicalPolicy(policy), 'base64url');
}
