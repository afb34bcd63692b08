import type { ProjectedFinding } from '@svc/contract';
import { findingStatuses, severities, verifications } from '@svc/contract/enums';
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { ruleGroupsOf } from '@svc/report/reading/rule-groups';
import { entriesOf } from './entries.ts';
import { facetNames, type FacetName } from '@svc/contract/facets';
import { facetValueOf } from '@svc/report/reading/facets';
import { isFiltered, noFilters, toggled, type Filters } from './filters.ts';
import { groupsOf, rowsOf, ruleRowsOf } from './rows.ts';
import { firstViewOf, viewOf } from './view.ts';

const folders = ['', 'src/', 'src/orders/', 'lib/'];

const findingArbitrary: fc.Arbitrary<ProjectedFinding> = fc.record(
  {
    id: fc.integer({ min: 1, max: 9_999_999 }).map((number) => `F-${number}`),
    title: fc.constantFrom('Order lookup', 'Token in a log', 'SQL in a name'),
    category: fc.constantFrom('access_control', 'injection', 'secrets'),
    severity: fc.constantFrom(...severities),
    verification: fc.constantFrom(...verifications),
    summary: fc.constantFrom('Reads the orders', 'Writes the token', 'x'),
    impact: fc.constant('Some.'),
    affected: fc.record(
      {
        component: fc.constantFrom('api', 'web', '__proto__'),
        file: fc.constantFrom(...folders).map((at) => `${at}a.ts`),
      },
      { requiredKeys: ['component'] },
    ),
    evidence: fc.constant([]),
    remediation: fc.constant(''),
    verificationPlan: fc.constant(''),
    status: fc.constantFrom(...findingStatuses),
    tags: fc.subarray(['tool:Semgrep', 'tool:CodeQL', 'rule:no-eval', 'other']),
  },
  {
    noNullPrototype: true,
    requiredKeys: [
      'id',
      'title',
      'category',
      'severity',
      'verification',
      'summary',
      'impact',
      'affected',
      'evidence',
      'remediation',
      'verificationPlan',
    ],
  },
);
const findingsArbitrary = fc.uniqueArray(findingArbitrary, { selector: ({ id }) => id, maxLength: 40 });

const filtersArbitrary: fc.Arbitrary<Filters> = fc.record({
  query: fc.constantFrom(
    '',
    'token',
    'order -token',
    'severity:high',
    '-status:open,fix_applied reads',
    'path:src/ x',
  ),
  chosen: fc.record({
    severity: fc.subarray([...severities]),
    verification: fc.subarray([...verifications]),
    status: fc.subarray([...findingStatuses]),
    category: fc.subarray(['access_control', 'injection']),
    tool: fc.subarray(['Semgrep', 'CodeQL']),
    rule: fc.subarray(['no-eval']),
    component: fc.subarray(['api', '__proto__']),
    folder: fc.subarray(['.', 'src', 'src/orders']),
  }),
});

function isLetThrough(finding: ProjectedFinding, chosen: Filters['chosen'], except?: FacetName): boolean {
  return facetNames.every(
    (name) =>
      name === except ||
      chosen[name].length === 0 ||
      chosen[name].includes(facetValueOf(finding, name) ?? ''),
  );
}

it('viewOf shows and counts the same findings as checking each finding separately', () => {
  fc.assert(
    fc.property(findingsArbitrary, filtersArbitrary, (findings, { query, chosen }) => {
      const entries = entriesOf(findings);
      const view = viewOf(entries, { query, chosen });
      // Other tests cover the search without facets.
      const found = viewOf(entries, { ...noFilters, query }).shown.map(({ finding }) => finding);
      expect(view.shown.map(({ finding }) => finding)).toEqual(
        found.filter((finding) => isLetThrough(finding, chosen)),
      );
      for (const name of facetNames) {
        const others = found.filter((finding) => isLetThrough(finding, chosen, name));
        const values = new Set(others.flatMap((finding) => facetValueOf(finding, name) ?? []));
        const naive = [...values].map(
          (value) =>
            [value, others.filter((finding) => facetValueOf(finding, name) === value).length] as const,
        );
        expect(new Map(view.counts[name])).toEqual(new Map(naive));
      }
      expect(view.total).toBe(findings.length);
    }),
  );
});

it('every shown finding is in one group, and folded groups have counts', () => {
  fc.assert(
    fc.property(findingsArbitrary, fc.constantFrom('category', 'file'), (findings, grouping) => {
      const { shown } = viewOf(entriesOf(findings), noFilters);
      const groups = groupsOf(shown, grouping);
      const closed = rowsOf(groups, new Set());
      expect(closed.every(({ kind }) => kind === 'group')).toBe(true);
      const open = rowsOf(groups, new Set(closed.map(({ key }) => key)));
      const ids = open.flatMap((row) => (row.kind === 'finding' ? [row.key] : []));
      expect(ids.toSorted()).toEqual(shown.map(({ finding }) => finding.id).toSorted());
      expect(groups.flatMap((group) => group.ids)).toEqual(ids);
      const counted = open.reduce((sum, row) => sum + (row.kind === 'group' ? row.count : 0), 0);
      expect(counted).toBe(shown.length);
    }),
  );
});

it('a group has the highest severity of its findings, however they are sorted', () => {
  fc.assert(
    fc.property(findingsArbitrary, (findings) => {
      const shown = entriesOf(findings).toReversed();
      for (const row of rowsOf(groupsOf(shown, 'category'), new Set())) {
        if (row.kind !== 'group') throw new Error('the groups are folded');
        const severitiesIn = shown
          .filter(({ finding }) => finding.category === row.key)
          .map(({ finding }) => severities.indexOf(finding.severity));
        expect(severities.indexOf(row.severity)).toBe(Math.min(...severitiesIn));
      }
    }),
  );
});

test('before all findings are loaded, the list ends at the group of the chosen finding', () => {
  const [sample] = fc.sample(findingArbitrary, 1);
  const of = (id: string, rule: string) => ({ ...sample!, id, tags: [`rule:${rule}`] });
  const findings = [of('F-1', 'one'), of('F-2', 'two'), of('F-3', 'two'), of('F-4', 'three')];
  const rules = ruleGroupsOf(findings);
  const loaded = entriesOf(findings.slice(0, 3));
  const keysFor = (chosen: string | null) => ruleRowsOf(rules, loaded, chosen).map(({ key }) => key);
  const keys = rules.map(({ key }) => key);
  expect(keysFor(null)).toEqual(keys);
  expect(keysFor('F-1')).toEqual(keys.slice(0, keys.indexOf('rule one') + 1));
  expect(keysFor('F-2')).toEqual(['rule two']);
  expect(keysFor('F-4')).toEqual([]);
});

test('findings are sorted by severity, otherwise in report order', () => {
  const [sample] = fc.sample(findingArbitrary, 1);
  const of = (id: string, severity: ProjectedFinding['severity']) => ({ ...sample!, id, severity });
  const entries = entriesOf([of('F-1', 'low'), of('F-2', 'critical'), of('F-3', 'low'), of('F-4', 'high')]);
  expect(entries.map(({ finding }) => finding.id)).toEqual(['F-2', 'F-4', 'F-1', 'F-3']);
});

test('counts are those of the whole report before all findings are loaded', () => {
  const facets = {
    severity: [['high', 70]],
    verification: [],
    status: [['open', 70]],
    category: [],
    tool: [],
    rule: [],
    component: [],
    folder: [['src', 70]],
  } as const;
  const view = firstViewOf([], { findings: 70, open: null, rules: [], facets });
  expect({
    total: view.total,
    high: view.counts.severity.get('high'),
    src: view.counts.folder.get('src'),
    shown: view.shown,
  }).toEqual({
    total: 70,
    high: 70,
    src: 70,
    shown: [],
  });
});

describe('filters', () => {
  test('toggling a value twice deselects it', () => {
    const once = toggled(noFilters, 'severity', 'high');
    expect([isFiltered(noFilters), isFiltered(once)]).toEqual([false, true]);
    expect(toggled(once, 'severity', 'high')).toEqual(noFilters);
  });
});
