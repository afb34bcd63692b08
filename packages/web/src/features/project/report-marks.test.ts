import type { ListedReport } from '@svc/contract';
import { expect, test } from 'vitest';
import { newestUntil, toolMarks } from './report-marks.ts';

const report = (reportId: string, day: number, name: string, version: string) =>
  ({
    reportId,
    agent: { name, version },
    createdAt: `2026-03-0${day}T10:00:00.000Z`,
    finalizedAt: `2026-03-0${day}T11:00:00.000Z`,
  }) as ListedReport;
const dates = [1, 2, 3, 4, 5].map((day) => `2026-03-0${day}`);
const reports = [
  report('e', 5, 'svc', '2'),
  report('a', 1, 'svc', '1'),
  report('b', 2, 'svc', '1'),
  report('c', 3, 'other', '7'),
  report('d', 4, 'svc', '2'),
];

test('a click leads to the newest report of that day or of an earlier one', () => {
  expect(['2026-02-28', ...dates].map((date) => newestUntil(reports, date)?.reportId)).toEqual([
    undefined,
    'a',
    'b',
    'c',
    'd',
    'e',
  ]);
});

test('marks are on the days of a new agent and of a new version, but not on the first report', () => {
  expect(toolMarks(reports, [], dates)).toEqual([
    { at: 2, label: 'first report of other 7' },
    { at: 3, label: 'svc 1 to 2' },
  ]);
});

test('changes before the first day of the plot have no mark', () => {
  expect(toolMarks(reports, [], dates.slice(3))).toEqual([{ at: 0, label: 'svc 1 to 2' }]);
});

test('a tool that is not an agent is marked on the day of its first findings', () => {
  const scan = (tool: string, firstCountedOn: string | null) => ({
    tool,
    firstCountedOn,
    reportId: 'e',
    finalizedAt: '2026-03-05T11:00:00.000Z',
  });
  const scans = [
    scan('Trivy', '2026-03-04'),
    scan('Semgrep', '2026-03-02'),
    scan('Bandit', null),
    scan('svc', '2026-03-02'),
    scan('ESLint', '2026-02-20'),
  ];
  expect(toolMarks(reports, scans, dates)).toEqual([
    { at: 1, label: 'first findings of Semgrep' },
    { at: 2, label: 'first report of other 7' },
    { at: 3, label: 'svc 1 to 2, first findings of Trivy' },
  ]);
});
