import type { SharePolicy } from '@svc/contract';
import { sectionIds, selectionModes, severities } from '@svc/contract/enums';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  changePolicy,
  draftOf,
  fieldNames,
  letsThrough,
  policyOf,
  presetOf,
  presets,
  type PolicyAction,
} from './policy.ts';

const ids = fc.uniqueArray(fc.integer({ min: 1, max: 12 }).map((number) => `F-${number}`));
const mode = fc.constantFrom(...selectionModes);
const optional = { requiredKeys: [] };
const policies: fc.Arbitrary<SharePolicy> = fc
  .record(
    {
      sections: fc.record({ mode, ids: fc.uniqueArray(fc.constantFrom(...sectionIds, 'later')) }, optional),
      findings: fc.record(
        {
          mode,
          ids,
          maxSeverity: fc.constantFrom(...severities),
          minSeverity: fc.constantFrom(...severities),
        },
        optional,
      ),
      fields: fc.record(
        Object.fromEntries(fieldNames.map((name) => [name, fc.boolean()])) as Record<
          (typeof fieldNames)[number],
          fc.Arbitrary<boolean>
        >,
        optional,
      ),
      anonymize: fc.boolean(),
    },
    optional,
  )
  .map((parts) => ({ version: 1, ...parts }));

/** The meaning of a policy, implemented independently. */
function meaningOf({ sections = {}, findings = {}, fields = {}, anonymize = false }: SharePolicy) {
  const selects = ({ mode: how = 'allow_listed', ids: listed = [] }: typeof sections, id: string) => {
    if (how === 'allow_all') return true;
    return how === 'allow_listed' ? listed.includes(id) : !listed.includes(id);
  };
  return {
    sections: sectionIds.filter((id) => selects(sections, id)),
    findings: Array.from({ length: 12 }, (_, index) => `F-${index + 1}`).filter((id) =>
      selects(findings, id),
    ),
    maxSeverity: findings.maxSeverity ?? null,
    minSeverity: findings.minSeverity ?? null,
    isNarrow:
      (findings.mode ?? 'allow_listed') !== 'allow_all' ||
      findings.maxSeverity !== undefined ||
      findings.minSeverity !== undefined,
    fields: fieldNames.filter((name) => fields[name] === true),
    anonymize,
  };
}

test('[D9] a policy that was opened but not edited stays the same', () => {
  fc.assert(
    fc.property(policies, (policy) => {
      expect(meaningOf(policyOf(draftOf(policy)))).toEqual(meaningOf(policy));
    }),
  );
});

test('[D9] letsThrough matches the meaning of the policy', () => {
  const finding = fc.record({ id: ids.map(([id = 'F-1']) => id), severity: fc.constantFrom(...severities) });
  fc.assert(
    fc.property(policies, finding, (policy, { id, severity }) => {
      const { findings, maxSeverity, minSeverity } = meaningOf(policy);
      const isMild = maxSeverity === null || severities.indexOf(severity) >= severities.indexOf(maxSeverity);
      const isSevere =
        minSeverity === null || severities.indexOf(severity) <= severities.indexOf(minSeverity);
      expect(letsThrough(draftOf(policy), { id, severity })).toBe(
        findings.includes(id) && isMild && isSevere,
      );
    }),
  );
});

test('setting a section, a field, the mode or the names changes only that part of a policy', () => {
  const actions: fc.Arbitrary<PolicyAction> = fc.oneof(
    fc.record({
      type: fc.constant('section' as const),
      id: fc.constantFrom(...sectionIds),
      isShown: fc.boolean(),
    }),
    fc.record({
      type: fc.constant('field' as const),
      name: fc.constantFrom(...fieldNames),
      isShown: fc.boolean(),
    }),
    fc.record({ type: fc.constant('mode' as const), mode }),
    fc.record({ type: fc.constant('anonymize' as const), isOn: fc.boolean() }),
  );
  fc.assert(
    fc.property(policies, actions, (policy, action) => {
      const before = draftOf(policy);
      const after = changePolicy(before, action);
      const part = { section: 'sections', field: 'fields', mode: 'findings', anonymize: 'anonymize' }[
        action.type as 'section' | 'field' | 'mode' | 'anonymize'
      ];
      expect({ ...after, [part]: 0 }).toEqual({ ...before, [part]: 0 });
    }),
  );
});

test('findings are selected and deselected one by one, and sent in numeric order', () => {
  let draft = changePolicy(presets.auditor, { type: 'mode', mode: 'allow_listed' });
  for (const id of ['F-10', 'F-2', 'F-3'])
    draft = changePolicy(draft, { type: 'finding', id, isListed: true });
  draft = changePolicy(draft, { type: 'finding', id: 'F-3', isListed: false });
  expect(policyOf(draft).findings).toEqual({ mode: 'allow_listed', ids: ['F-2', 'F-10'] });
});

test('a policy matches its preset until it is customized, whichever findings it shows', () => {
  const severe = changePolicy(presets.team, { type: 'minSeverity', severity: 'high' });
  expect(presetOf(severe)).toBe('team');
  const forCustomers = changePolicy(severe, { type: 'preset', preset: 'customer' });
  expect(presetOf(forCustomers)).toBe('customer');
  expect(policyOf(forCustomers)).toMatchObject({
    findings: { minSeverity: 'high' },
    fields: { code: false, reproduction: false, evidence: true },
    anonymize: true,
  });
  expect(presetOf(changePolicy(severe, { type: 'field', name: 'evidence', isShown: false }))).toBeNull();
});

test('[D25] a severity limit removes the opposite one if both together would leave no severity', () => {
  const mild = changePolicy(presets.team, { type: 'maxSeverity', severity: 'low' });
  const severe = changePolicy(mild, { type: 'minSeverity', severity: 'high' });
  expect(policyOf(severe).findings).toEqual({ mode: 'allow_all', minSeverity: 'high' });
  expect(policyOf(changePolicy(severe, { type: 'maxSeverity', severity: 'low' })).findings).toEqual({
    mode: 'allow_all',
    maxSeverity: 'low',
  });
  expect(policyOf(changePolicy(mild, { type: 'minSeverity', severity: 'low' })).findings).toEqual({
    mode: 'allow_all',
    maxSeverity: 'low',
    minSeverity: 'low',
  });
});
