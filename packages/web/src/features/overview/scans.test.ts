import type { ListedReport } from '@svc/contract';
import { expect, test } from 'vitest';
import { lastScansOf, scansByReport } from './scans.ts';

const report = (day: number, agent: ListedReport['agent'], state = 'finalized') =>
  ({ reportId: `${day}`, agent, state, createdAt: `2026-03-0${day}T00:00:00.000Z` }) as ListedReport;

test('each agent has its last scan, the newest agent first; running scans do not count', () => {
  const reports = [
    report(1, { name: 'svc', version: '1' }),
    report(3, { name: 'svc', version: '2' }),
    report(4, null),
    report(5, { name: 'svc' }, 'live'),
  ];
  expect(
    lastScansOf(reports).map(({ name, version, count, report: { reportId } }) => [
      name,
      version,
      count,
      reportId,
    ]),
  ).toEqual([
    [null, undefined, 1, '4'],
    ['svc', '2', 2, '3'],
  ]);
});

test('tools are listed together if their newest report is the same', () => {
  const scan = (tool: string, reportId: string) => ({
    tool,
    reportId,
    finalizedAt: `at ${reportId}`,
    firstCountedOn: null,
  });
  expect(scansByReport([scan('semgrep', 'b'), scan('svc', 'b'), scan('trivy', 'a')])).toEqual([
    { reportId: 'b', finalizedAt: 'at b', tools: ['semgrep', 'svc'] },
    { reportId: 'a', finalizedAt: 'at a', tools: ['trivy'] },
  ]);
});
