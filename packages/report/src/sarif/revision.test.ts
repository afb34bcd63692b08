import { expect, test } from 'vitest';
import { revisionOf } from './revision.ts';

const commit = 'a94a8fe5ccb19ba61c4c0873d391e987982fbbd3';
const run = (...revisionIds: unknown[]) => ({
  fields: { versionControlProvenance: revisionIds.map((revisionId) => ({ revisionId })) },
});

test.each([
  ['one run', [run(commit)], commit],
  ['runs of one commit, in any case', [run(commit), run(commit.toUpperCase())], commit],
  ['runs of different commits', [run(commit), run('b'.repeat(40))], undefined],
  ['a run of two repositories', [run(commit, 'b'.repeat(40))], undefined],
  ['a run without a commit beside one with a commit', [run(commit), run()], undefined],
  ['a revision that is no commit', [run('refs/heads/main')], undefined],
  ['a number', [run(12_345_678)], undefined],
  ['no run', [], undefined],
])('the commit of %s', (_, runs, revision) => {
  expect(revisionOf(runs)).toBe(revision);
});
