/** The key under which a policy's prepared projection is stored. */
import { hash } from 'node:crypto';
import type { SharePolicy } from '@svc/contract';
import { canonicalPolicy, isAllAllowing } from '@svc/report';

/** Null for a policy that hides nothing: reading the whole report then reveals nothing hidden. */
export function policyDigestOf(policy: SharePolicy): string | null {
  return isAllAllowing(policy) ? null : hash('sha256', canonicalPolicy(policy), 'base64url');
}
