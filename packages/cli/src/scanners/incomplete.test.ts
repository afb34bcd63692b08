import { expect, test } from 'vitest';
import { areasOf } from './coverage-areas.ts';
import { incompleteOf } from './incomplete.ts';
import type { ScannedParts } from './scanned-parts.ts';

const inventory = {
  files: [],
  fileCount: 0,
  languages: [],
  isGit: true,
  links: 0,
  submodules: 0,
  settings: [],
  unreadable: 0,
};
const check = {
  findings: [],
  searched: 3,
  binary: 0,
  vendored: 0,
  tooLarge: 0,
  unreadable: 0,
  isFull: false,
};
const scanned = (secrets: Partial<typeof check>): ScannedParts => ({
  inventory,
  secrets: { ...check, ...secrets },
  runs: [],
  files: [],
});

test.each([
  [{}, [], 'covered', 'covered'],
  // Files that are left out by design are not a gap.
  [{ tooLarge: 1, vendored: 2 }, [], 'partial', 'covered'],
  [{ unreadable: 1 }, ['1 file not searched for secrets: not readable.'], 'partial', 'partial'],
  [
    { isFull: true, tooLarge: 1 },
    ['The search for secrets ended early: a report cannot contain more findings.'],
    'partial',
    'partial',
  ],
] as const)('the gaps of the built-in search that left out %j', (left, messages, subject, tool) => {
  expect(incompleteOf(scanned(left)).map(({ message }) => message)).toEqual(messages);
  const areas = new Map(areasOf(scanned(left)).map(({ id, status }) => [id, status]));
  expect([areas.get('secrets'), areas.get('tool:secrets')]).toEqual([subject, tool]);
});
