import { describe, expect, test } from 'vitest';
import { parsedSearch, toggledIn, valuesIn } from './search.ts';

const projects = [
  { projectId: 'prj_1', name: 'Shop' },
  { projectId: 'prj_2', name: 'Web shop' },
  { projectId: 'prj_3', name: 'Bank' },
];
const filtersOf = (search: string) => parsedSearch(search, projects).filters;
const problemsOf = (search: string) => parsedSearch(search, projects).problems;

describe('[D21] a search over projects', () => {
  test.each([
    ['', {}],
    ['  ', {}],
    ['sql Injection', { q: 'sql injection' }],
    ['severity:high path:src/ sql', { severity: 'high', q: 'src/ sql' }],
    ['severity:high,critical severity:low', { severity: 'high,critical,low' }],
    ['status:"accepted risk"', { status: 'accepted_risk' }],
    ['verification:needs-review', { verification: 'needs_review' }],
    ['category:"sql injection" rule:js.sqli', { category: 'sql_injection', q: 'js.sqli' }],
    ['project:shop', { projectId: 'prj_1,prj_2' }],
    ['"order lookup"', { q: 'order lookup' }],
    ['https://shop.example', { q: 'https://shop.example' }],
    ['constructor:x', { q: 'constructor:x' }],
    ['severity:', {}],
  ])('%j becomes filters and terms', (search, filters) => {
    expect(filtersOf(search)).toEqual(filters);
    expect(problemsOf(search)).toEqual([]);
  });

  test.each([
    ['severity:urgent', 'severity:urgent: use critical, high, medium, low, info.'],
    ['-status:open', '-status:open: this search can’t exclude findings.'],
    ['project:nothing', 'project:nothing: no project has this name.'],
  ])('%j has a problem', (search, problem) => {
    expect(problemsOf(search)).toEqual([problem]);
  });
});

describe('a value of a qualifier', () => {
  test('is added to the existing ones, and removed again', () => {
    expect(toggledIn('sql', 'severity', 'high')).toBe('sql severity:high');
    expect(toggledIn('severity:high sql', 'severity', 'low')).toBe('sql severity:high,low');
    expect(toggledIn('severity:high sql', 'severity', 'high')).toBe('sql');
  });

  test('is read from every part of the search', () => {
    expect(valuesIn('status:open x status:"fix applied"', 'status')).toEqual(['open', 'fix_applied']);
  });
});
