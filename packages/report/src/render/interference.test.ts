/**
 * Whether anything that is made of a share's projection tells of what its policy left out. A rendering is of the projection
 * alone; these tests hold the two together, from the report as it was uploaded to the bytes of each file.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { canariesIn } from '../../test/canary-spellings.ts';
import { costlyRuns } from '../../test/costly.ts';
import { canaries, interferencePairs } from '../../test/interference.ts';
import { renderingsOf } from '../../test/renderings.ts';
import { projectReport, wholeProjection } from '../projection.ts';

test('[T15] reports that differ in what a policy leaves out are the same files of the same names', () => {
  fc.assert(
    fc.property(interferencePairs(), ({ report, other, projectedFor, sharing }) => {
      const [one, another] = [report, other].map((each) =>
        renderingsOf(projectReport(each, projectedFor, sharing)),
      );
      expect(another).toEqual(one);
    }),
    { numRuns: costlyRuns() },
  );
});

test('[T15] no canary in what a policy leaves out is in a file or in its name', () => {
  fc.assert(
    fc.property(interferencePairs(), ({ report, policy, projectedFor, sharing }) => {
      const planted = canaries(report, policy);
      const renderings = renderingsOf(projectReport(planted.report, projectedFor, sharing));
      for (const [name, text] of Object.entries(renderings))
        expect([name, canariesIn(text, planted.canaries)]).toEqual([name, []]);
    }),
    { numRuns: costlyRuns() },
  );
});

test('the search finds canaries in every file that shows them, and in its name', () => {
  // What a report's own people are not shown either, and what a document tells in other words or not at all.
  const [untold, unwritten] = [2, 5];
  fc.assert(
    fc.property(interferencePairs(), ({ report, projectedFor }) => {
      const planted = canaries(report, { version: 1 });
      const renderings = renderingsOf(wholeProjection(planted.report, projectedFor));
      for (const [name, text] of Object.entries(renderings)) {
        const least = name.startsWith('name of') ? 2 : planted.canaries.length - untold - unwritten;
        expect([name, canariesIn(text, planted.canaries).length >= least]).toEqual([name, true]);
      }
    }),
    { numRuns: 20 },
  );
});
