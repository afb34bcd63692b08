import type { Severity, WorkspaceFinding } from '@svc/contract';
import { expect, test } from 'vitest';
import type { Grouping } from './address.ts';
import { groupsOf } from './grouping.ts';

function finding(number: number, title: string, project: string, severity: Severity): WorkspaceFinding {
  return {
    findingKey: `key-${number}`,
    projectId: `prj_${project}`,
    projectName: project,
    reportId: 'rep_1',
    findingId: `F-${number}`,
    title,
    category: 'xss',
    severity,
    verification: 'verified',
    status: 'open',
    component: 'web',
    firstSeenAt: '2026-03-04T05:06:07.000Z',
  };
}

const findings = [
  finding(1, 'Injection', 'Shop', 'low'),
  finding(2, 'Overflow', 'Bank', 'critical'),
  finding(3, 'Injection', 'Bank', 'high'),
  { ...finding(4, 'Injection', 'Bank', 'info'), category: 'sql_injection' },
];

test.each<[Grouping, [string, Severity, string][]]>([
  [
    'title',
    [
      ['Injection', 'high', 'F-1 F-3'],
      ['Overflow', 'critical', 'F-2'],
      ['Injection', 'info', 'F-4'],
    ],
  ],
  [
    'project',
    [
      ['Shop', 'low', 'F-1'],
      ['Bank', 'critical', 'F-2 F-3 F-4'],
    ],
  ],
  [
    'severity',
    [
      ['Critical', 'critical', 'F-2'],
      ['High', 'high', 'F-3'],
      ['Low', 'low', 'F-1'],
      ['Info', 'info', 'F-4'],
    ],
  ],
])('findings are grouped by %s, each group with its worst severity', (grouping, groups) => {
  expect(
    groupsOf(findings, grouping).map(({ name, severity, findings: of }) => [
      name,
      severity,
      of.map(({ findingId }) => findingId).join(' '),
    ]),
  ).toEqual(groups);
});
