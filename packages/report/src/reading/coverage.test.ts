import { describe, expect, test } from 'vitest';
import { gapsOf, incompleteTools, isToolArea, subjectsOf, toolAreaId, type Area } from './coverage.ts';

const area = (id: string, status: Area['status'], note?: string): Area => ({
  id,
  name: id.replace('tool:', ''),
  status,
  ...(note !== undefined && { note }),
});

test('the id of a tool area has a prefix and at most 120 characters', () => {
  expect(toolAreaId('bandit')).toBe('tool:bandit');
  expect([...toolAreaId('é'.repeat(200))]).toHaveLength(120);
  expect([toolAreaId('x'), 'tools', 'secrets'].map((id) => isToolArea({ id }))).toEqual([true, false, false]);
});

test('subjects are the areas that are not tools, or all areas if every one is a tool', () => {
  const secrets = area('secrets', 'covered');
  const tool = area('tool:a', 'covered');
  expect(subjectsOf([secrets, tool])).toEqual([secrets]);
  expect(subjectsOf([tool])).toEqual([tool]);
  expect(subjectsOf([])).toEqual([]);
});

describe('gaps', () => {
  const failed = area('tool:b', 'not_covered', 'b failed (exit code 2).');

  test('list the failed tools first, then the partial ones', () => {
    const partial = area('tool:a', 'partial');
    const areas = [partial, area('tool:c', 'covered'), failed, area('secrets', 'not_covered')];
    expect(incompleteTools(areas)).toEqual([failed, partial]);
    expect(gapsOf(areas)).toEqual({
      title: 'Incomplete scan: findings of 2 tools may be missing.',
      lines: ['b failed (exit code 2).', 'a did not scan everything.'],
      isWhole: true,
    });
    expect(gapsOf([{ ...failed, note: '' }])?.lines).toEqual(['b did not finish.']);
  });

  test('are undefined if every tool is covered, regardless of the subjects', () => {
    expect(gapsOf([area('secrets', 'not_covered'), area('tool:a', 'covered')])).toBeUndefined();
    expect(gapsOf()).toBeUndefined();
  });

  test('of many tools name the first and count the others', () => {
    const areas = Array.from({ length: 8 }, (_, index) => area(`tool:${index}`, 'not_covered'));
    const gaps = gapsOf(areas);
    expect(gaps?.title).toBe('Incomplete scan: findings of 8 tools may be missing.');
    expect(gaps).toMatchObject({ isWhole: false });
    expect(gaps?.lines).toHaveLength(6);
    expect(gaps?.lines.at(-1)).toBe('And 3 more, listed under Coverage.');
  });
});
