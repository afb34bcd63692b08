import fc from 'fast-check';
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

/**
 * Reads CSV as RFC 4180 describes it, and fails for a cell without quotes.
 * @returns the cells of each row.
 */
function rowsOf(csv: string): string[][] {
  const cell = /"((?:[^"]|"")*)"(,|\r\n)/y;
  const rows: string[][] = [[]];
  while (cell.lastIndex < csv.length) {
    const at = cell.lastIndex;
    const [, quoted, end] = cell.exec(csv) ?? [];
    if (quoted === undefined) throw new Error(`No quoted cell at ${at}.`);
    rows.at(-1)?.push(quoted.replaceAll('""', '"'));
    if (end !== ',') rows.push([]);
  }
  return rows.slice(0, -1);
}

const heads =
  'project,title,severity,status,until,verification,category,component,file,line,first seen,finding,report';
const first = ['Shop', finding.title, 'high', 'open', '', 'verified', 'broken_access_control', 'orders'];
const last = [finding.firstSeenAt, 'F-1', 'rep_1'];

test('has a row of quoted cells for each finding, with empty cells for what it lacks', () => {
  expect(rowsOf(csvOf([finding, { ...finding, file: 'src/a.ts', lineStart: 4 }]))).toEqual([
    heads.split(','),
    [...first, '', '', ...last],
    [...first, 'src/a.ts', '4', ...last],
  ]);
});

test.each([
  ['=1+1', `"'=1+1"`],
  ['+1', `"'+1"`],
  ['-1', `"'-1"`],
  ['@SUM(A1)', `"'@SUM(A1)"`],
  ['\tx', `"'\tx"`],
  ['\r=x', `"'\r=x"`],
  ['\n=x', `"'\n=x"`],
  ['＝1+1', `"'＝1+1"`],
  ['＋1', `"'＋1"`],
  ['－1', `"'－1"`],
  ['＠SUM(A1)', `"'＠SUM(A1)"`],
  ['a "quoted", text', '"a ""quoted"", text"'],
  ['two\nlines', '"two\nlines"'],
  ['a;=b', '"a;=b"'],
])('writes the cell %j as %j', (title, cell) => {
  expect(csvOf([{ ...finding, title }])).toContain(`"Shop",${cell},"high"`);
});

const PREFIXES = '=+-@\t\r\n＝＋－＠'.split('');

test('reads back as it was, with an apostrophe before each text that would begin a formula', () => {
  const unit = fc.oneof(fc.constantFrom(...PREFIXES, "'", '"', ',', ';', 'a'), fc.string());
  const text = fc.string({ unit });
  const isFormula = (cell: string) => PREFIXES.includes(cell.charAt(0));
  fc.assert(
    fc.property(text, text, (title, component) => {
      const [, row = []] = rowsOf(csvOf([{ ...finding, title, component }]));
      expect(row.filter(isFormula)).toEqual([]);
      const texts = [title, component].map((each) => (isFormula(each) ? `'${each}` : each));
      expect([row[1], row[7]]).toEqual(texts);
    }),
  );
});
