import { expect, test } from 'vitest';
import { findingsSearchIn } from './address.ts';

test.each([
  [{}, {}],
  [
    { q: 'sql', sort: 'newest', group: 'title', new: true },
    { q: 'sql', sort: 'newest', group: 'title', new: true },
  ],
  [{ q: '', sort: 'severity' }, {}],
  [{ q: 7, sort: 'random', group: 'day', new: 'yes', view: 'list', other: 1 }, {}],
  [{ view: 'trends' }, { view: 'trends' }],
])('of %j only what is known and no default stays in the URL', (given, kept) => {
  expect(findingsSearchIn(given)).toEqual(kept);
});
