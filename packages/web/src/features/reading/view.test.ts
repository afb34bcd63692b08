import type { ProjectedFinding } from '@svc/contract';
import { findingStatuses, severities, verifications } from '@svc/contract/words';
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { entriesOf } from './entries.ts';
import { facetNames, facetValueOf, type FacetName } from '@svc/contract/reading/facets';
import { isFiltered, noFilters, toggled, type Filters } from './filters.ts';
import { rowsOf } from './rows.ts';
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

it('shows and counts what one finding after another, asked by itself, says', () => {
  fc.assert(
    fc.property(findingsArbitrary, filtersArbitrary, (findings, { query, chosen }) => {
      const entries = entriesOf(findings);
      const view = viewOf(entries, { query, chosen });
      // The search by itself, without any facet, is what other tests look at.
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

it('puts every finding that is shown into one group, and counts what is folded', () => {
  fc.assert(
    fc.property(findingsArbitrary, fc.constantFrom('category', 'file'), (findings, grouping) => {
      const { shown } = viewOf(entriesOf(findings), noFilters);
      const closed = rowsOf(shown, grouping, new Set());
      expect(closed.every(({ kind }) => kind === 'group')).toBe(true);
      const open = rowsOf(shown, grouping, new Set(closed.map(({ key }) => key)));
      const ids = open.flatMap((row) => (row.kind === 'finding' ? [row.key] : []));
      expect(ids.toSorted()).toEqual(shown.map(({ finding }) => finding.id).toSorted());
      const counted = open.reduce((sum, row) => sum + (row.kind === 'group' ? row.count : 0), 0);
      expect(counted).toBe(shown.length);
    }),
  );
});

test('findings stand worst first, and otherwise as in the report', () => {
  const [sample] = fc.sample(findingArbitrary, 1);
  const of = (id: string, severity: ProjectedFinding['severity']) => ({ ...sample!, id, severity });
  const entries = entriesOf([of('F-1', 'low'), of('F-2', 'critical'), of('F-3', 'low'), of('F-4', 'high')]);
  expect(entries.map(({ finding }) => finding.id)).toEqual(['F-2', 'F-4', 'F-1', 'F-3']);
});

test('before all findings have come, the counts are those of the whole', () => {
  const facets = {
    severity: [['high', 70]],
    verification: [],
    status: [['open', 70]],
    category: [],
    component: [],
    folder: [['src', 70]],
  } as const;
  const view = firstViewOf([], { findings: 70, facets });
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
  test('a value that is chosen twice is chosen no more', () => {
    const once = toggled(noFilters, 'severity', 'high');
    expect([isFiltered(noFilters), isFiltered(once)]).toEqual([false, true]);
    expect(toggled(once, 'severity', 'high')).toEqual(noFilters);
  });
});
