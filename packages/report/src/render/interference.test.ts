/**
 * No rendering of a share's projection reveals what its policy left out. Other tests check the projection alone; these
 * check the whole way from the uploaded report to the bytes of each file.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { canariesIn } from '../../test/canary-spellings.ts';
import { costlyRuns } from '../../test/costly.ts';
import { canaries, interferencePairs } from '../../test/interference.ts';
import { renderingsOf } from '../../test/renderings.ts';
import { projectReport, wholeProjection } from '../projection/projection.ts';

test('[T15] reports that differ only in hidden parts give the same files with the same names', () => {
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

test('[T15] no canary in a hidden part is in a file or in its name', () => {
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
  // Some canaries are hidden from members too, and some are not shown verbatim in every format.
  const [hidden, notVerbatim] = [2, 5];
  fc.assert(
    fc.property(interferencePairs(), ({ report, projectedFor }) => {
      const planted = canaries(report, { version: 1 });
      const renderings = renderingsOf(wholeProjection(planted.report, projectedFor));
      for (const [name, text] of Object.entries(renderings)) {
        const least = name.startsWith('name of') ? 2 : planted.canaries.length - hidden - notVerbatim;
        expect([name, canariesIn(text, planted.canaries).length >= least]).toEqual([name, true]);
      }
    }),
    { numRuns: 20 },
  );
});
