import type { SharePolicy } from '@svc/contract';
import { listedUnder } from '@svc/report';
import { expect, test } from 'vitest';
import { policyIn, policyText } from './stored-policy.ts';

test.each<SharePolicy>([
  { version: 1 },
  { version: 1, sections: { mode: 'allow_all' }, findings: { mode: 'allow_all', maxSeverity: 'high' } },
  { version: 1, sections: { mode: 'allow_all' }, findings: { mode: 'allow_all', minSeverity: 'high' } },
  { version: 1, findings: { minSeverity: 'low', mode: 'deny_listed', ids: ['F-1'] }, anonymize: true },
])('[D25] the policy %j is read as it was stored', (policy) => {
  expect(policyIn(policyText(policy))).toStrictEqual(policy);
});

test('[D25] a version that does not know minSeverity lists no finding under a policy with it', () => {
  const policy: SharePolicy = {
    version: 1,
    sections: { mode: 'allow_all' },
    findings: { mode: 'allow_all', minSeverity: 'high' },
  };
  const asOlderVersionsRead = JSON.parse(policyText(policy)) as SharePolicy;
  for (const severity of ['critical', 'high', 'low', 'info'] as const)
    expect(listedUnder(asOlderVersionsRead)({ id: 'F-1', severity })).toBe(false);
});
