import { findingSorts, findingStatuses, severities, verifications, type FindingSort } from '@svc/contract';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ListedFinding } from './listed.ts';
import { comparePositions, cursorOf, positionIn, positionOf } from './order.ts';
import { selected, type Wanted } from './selection.ts';

const few = <Value>(...values: readonly Value[]) => fc.constantFrom(...values);
const identityAt = (at: number) => at.toString(16).padStart(32, '0');
const projects = ['Shop', 'shop', 'Bank'].map((projectName, at) => ({ projectId: `prj_${at}`, projectName }));

const finding = fc
  .record({
    project: few(...projects),
    severity: few(...severities),
    status: few(...findingStatuses),
    verification: few(...verifications),
    category: few('xss', 'sql_injection'),
    firstSeenAt: fc.integer({ min: 0, max: 3 }),
    searchText: few('a b', 'b c', 'c a'),
  })
  .map(({ project, ...rest }) => ({ ...project, ...rest }));

const findings = fc.array(finding, { maxLength: 30 }).map((list) =>
  list.map((each, at): ListedFinding => ({
    ...each,
    identity: identityAt((at * 7) % 31),
    reportId: 'rep',
    ownerId: 'usr',
    findingId: 'F-1',
    title: '',
    component: '',
    until: null,
    tool: '',
  })),
);

const some = <Value>(...values: readonly Value[]) =>
  fc.option(fc.uniqueArray(few(...values), { minLength: 1 }).map((list) => new Set(list)));

const wanted: fc.Arbitrary<Wanted> = fc.record({
  terms: fc.array(few('a', 'b', 'c'), { maxLength: 2 }),
  severity: some(...severities),
  status: some(...findingStatuses),
  verification: some(...verifications),
  category: some('xss', 'sql_injection'),
  projectId: some('prj_0', 'prj_1', 'prj_2'),
  identity: fc.option(few(identityAt(0), identityAt(7)), { freq: 5 }),
  findingId: fc.option(few('F-0', 'F-1'), { freq: 5 }),
  firstSeenAfter: fc.option(fc.integer({ min: 0, max: 4 }), { freq: 3 }),
  sort: few(...findingSorts),
  limit: fc.integer({ min: 1, max: 10 }),
  after: fc.constant(null),
});

const has = <Value>(set: ReadonlySet<Value> | null, value: Value) => set === null || set.has(value);
const matches = (each: ListedFinding, by: Wanted) =>
  by.terms.every((term) => each.searchText.includes(term)) &&
  has(by.severity, each.severity) &&
  has(by.status, each.status) &&
  has(by.verification, each.verification) &&
  has(by.category, each.category) &&
  has(by.projectId, each.projectId) &&
  (by.identity === null || by.identity === each.identity) &&
  (by.findingId === null || by.findingId === each.findingId) &&
  (by.firstSeenAfter === null || each.firstSeenAt > by.firstSeenAfter);

function inOrder(sort: FindingSort, list: readonly ListedFinding[]): ListedFinding[] {
  return list.toSorted((one, other) => comparePositions(positionOf(sort, one), positionOf(sort, other)));
}

describe('[D21] a selection of findings', () => {
  test('has what passes all filters, page after page, each once and in order', () => {
    fc.assert(
      fc.property(findings, wanted, (list, by) => {
        const expected = inOrder(
          by.sort,
          list.filter((each) => matches(each, by)),
        );
        const pages: ListedFinding[] = [];
        let after: Wanted['after'] = null;
        do {
          const { page, total, last } = selected(list, { ...by, after });
          expect(total).toBe(expected.length);
          expect(page.length).toBeLessThanOrEqual(by.limit);
          pages.push(...page);
          after = last && positionIn(cursorOf(by.sort, last), by.sort);
        } while (after !== null);
        expect(pages).toStrictEqual(expected);
      }),
    );
  });

  test('counts severities and statuses as if their own filter were absent', () => {
    fc.assert(
      fc.property(findings, wanted, (list, by) => {
        const { counts } = selected(list, by);
        for (const severity of severities) {
          const those = list.filter((each) => each.severity === severity);
          expect(counts.severity[severity]).toBe(
            those.filter((each) => matches(each, { ...by, severity: null })).length,
          );
        }
        for (const status of findingStatuses) {
          const those = list.filter((each) => each.status === status);
          expect(counts.status[status]).toBe(
            those.filter((each) => matches(each, { ...by, status: null })).length,
          );
        }
      }),
    );
  });
});

describe('[D21] a cursor', () => {
  test.each([
    ['of another order', cursorOf('newest', { value: 1, identity: identityAt(1) })],
    ['with a text instead of a number', cursorOf('severity', { value: 'x', identity: identityAt(1) })],
    ['that is not JSON', Buffer.from('[').toString('base64url')],
    ['that is not a list', Buffer.from('{}').toString('base64url')],
    ['with an invalid key', Buffer.from('["severity",1,"k"]').toString('base64url')],
    ['with a number instead of a key', Buffer.from('["severity",1,2]').toString('base64url')],
  ])('%s is not valid', (_, cursor) => {
    expect(positionIn(cursor, 'severity')).toBeNull();
  });
});
