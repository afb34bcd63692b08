import { expect, test } from 'vitest';
import { csvOf } from './csv.ts';

const finding = {
  findingKey: '0'.repeat(26),
  projectId: 'prj_1',
  projectName: 'Shop',
  reportId: 'rep_1',
  findingId: 'F-1',
  title: 'Order lookup trusts the id',
  category: 'broken_access_control',
  severity: 'high',
  verification: 'verified',
  status: 'open',
  component: 'orders',
  firstSeenAt: '2026-03-04T05:06:07.000Z',
} as const;

test('has a row for each finding, with empty cells for what it lacks', () => {
  expect(csvOf([finding, { ...finding, file: 'src/a.ts', lineStart: 4 }]).split('\r\n')).toEqual([
    'project,title,severity,status,until,verification,category,component,file,line,first seen,finding,report',
    'Shop,Order lookup trusts the id,high,open,,verified,broken_access_control,orders,,,2026-03-04T05:06:07.000Z,F-1,rep_1',
    'Shop,Order lookup trusts the id,high,open,,verified,broken_access_control,orders,src/a.ts,4,2026-03-04T05:06:07.000Z,F-1,rep_1',
    '',
  ]);
});

test.each([
  ['=1+1', "'=1+1"],
  ['+1', "'+1"],
  ['-1', "'-1"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['\tx', "'\tx"],
  ['\r=x', '"\'\r=x"'],
  ['a "quoted", text', '"a ""quoted"", text"'],
  ['two\nlines', '"two\nlines"'],
  ['a=b', 'a=b'],
])('writes the cell %j as %j', (title, cell) => {
  expect(csvOf([{ ...finding, title }])).toContain(`Shop,${cell},high`);
});
