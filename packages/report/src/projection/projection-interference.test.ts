import { validatorOf } from '@svc/contract/validation';
import { ReportProjection } from '@svc/contract';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { canaries, interferencePairs } from '../../test/interference.ts';
import { CanonicalReport, inconsistencies } from '../model/canonical.ts';
import { projectReport } from './projection.ts';
import { secretPaths } from '../secrets/redact.ts';

test('[T15] reports that differ only in hidden parts give the same bytes', () => {
  fc.assert(
    fc.property(interferencePairs(), ({ report, other, projectedFor, sharing }) => {
      const [one, another] = [report, other].map((each) =>
        JSON.stringify(projectReport(each, projectedFor, sharing)),
      );
      expect(another).toBe(one);
    }),
  );
});

test('[T15] no canary in a hidden part is in the projection', () => {
  fc.assert(
    fc.property(interferencePairs(), ({ report, policy, projectedFor, sharing }) => {
      const planted = canaries(report, policy);
      const json = JSON.stringify(projectReport(planted.report, projectedFor, sharing));
      expect(planted.canaries.filter((canary) => json.includes(canary))).toEqual([]);
      expect(planted.canaries.length).toBeGreaterThan(0);
    }),
  );
});

test('[D9] every projection satisfies the contract', () => {
  const validator = validatorOf(ReportProjection);
  fc.assert(
    fc.property(interferencePairs(), ({ report, projectedFor, sharing }) => {
      const projection = projectReport(report, projectedFor, sharing);
      expect(validator.Check(projection)).toBe(true);
      expect(JSON.parse(JSON.stringify(projection))).toStrictEqual(projection);
    }),
  );
});

test('the reports of these tests are valid uploads', () => {
  const validator = validatorOf(CanonicalReport);
  fc.assert(
    fc.property(interferencePairs(), ({ report, other, policy }) => {
      for (const each of [report, other, canaries(report, policy).report]) {
        expect([...validator.Errors(each)]).toEqual([]);
        expect(inconsistencies(each)).toEqual([]);
        expect(secretPaths(each)).toEqual([]);
      }
    }),
    { numRuns: 50 },
  );
});
