import { expect, test } from 'vitest';
import { findingsSearchIn } from './address.ts';

test.each([
  [{}, {}],
  [
    { q: 'sql', sort: 'newest', group: 'title', only: 'new' },
    { q: 'sql', sort: 'newest', group: 'title', only: 'new' },
  ],
  [{ q: '', sort: 'severity' }, {}],
  [{ q: 7, sort: 'random', group: 'day', only: 'old', view: 'list', other: 1 }, {}],
  [{ view: 'trends' }, { view: 'trends' }],
])('only the known values of %j that are not defaults stay in the URL', (given, kept) => {
  expect(findingsSearchIn(given)).toEqual(kept);
});
