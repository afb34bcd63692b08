import type { ListedReport, Project } from '@svc/contract';
import { expect, test } from 'vitest';
import { inProjectOrder, inReportOrder, projectOrders, reportOrderIn, type ReportOrder } from './orders.ts';
import { orderIn } from '../../lib/order.ts';

const open = (critical: number, high: number) => ({ critical, high, medium: 0, low: 0, info: 0 });
const projects = [
  { name: 'shop 10', lastReportAt: '2026-01-02', createdAt: '2026-01-01', openFindings: open(0, 9) },
  { name: 'Shop 9', lastReportAt: '2026-01-03', createdAt: '2026-01-01', openFindings: open(1, 0) },
  { name: 'bank', lastReportAt: null, createdAt: '2026-01-04', openFindings: null },
] as Project[];

test.each([
  ['recent', ['bank', 'Shop 9', 'shop 10']],
  ['name', ['bank', 'Shop 9', 'shop 10']],
  ['open', ['Shop 9', 'shop 10', 'bank']],
] as const)('projects are ordered by %s', (order, names) => {
  expect(inProjectOrder(projects, order).map(({ name }) => name)).toEqual(names);
});

test.each([
  ['newest', ['c', 'b', 'a']],
  ['oldest', ['a', 'b', 'c']],
  // A scan that is running has no counts.
  ['severity', ['a', 'b', 'c']],
] as const)('reports are ordered by %s', (order: ReportOrder, ids) => {
  const reports = [
    { reportId: 'c', openFindings: null },
    { reportId: 'b', openFindings: open(0, 1) },
    { reportId: 'a', openFindings: open(0, 2) },
  ] as ListedReport[];
  expect(inReportOrder(reports, order).map(({ reportId }) => reportId)).toEqual(ids);
});

test('the URL names neither the default order nor an unknown one', () => {
  expect(['recent', 'name', 'size', 1].map((sort) => orderIn(projectOrders, { sort }))).toEqual([
    {},
    { sort: 'name' },
    {},
    {},
  ]);
  expect([reportOrderIn('newest'), reportOrderIn('oldest')]).toEqual([{}, { reports: 'oldest' }]);
});
