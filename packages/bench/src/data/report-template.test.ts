import { validatorOf } from '@svc/contract/validation';
import { CanonicalReport, inconsistencies, secretPaths } from '@svc/report';
import { expect, test } from 'vitest';
import { reportTemplate } from './report-template.ts';

test('a report fills its size, is valid, and holds no secret', () => {
  const template = reportTemplate(300_000);
  expect(template.sizeBytes).toBeGreaterThan(280_000);
  expect(template.sizeBytes).toBeLessThanOrEqual(300_000);
  const report = JSON.parse(Buffer.from(template.prepare().bytes).toString()) as CanonicalReport;
  expect(validatorOf(CanonicalReport).Check(report)).toBe(true);
  expect(inconsistencies(report)).toEqual([]);
  expect(secretPaths(report)).toEqual([]);
});

test('two reports of a template differ only in their local id', () => {
  const template = reportTemplate(20_000);
  const [one, other] = [template.prepare(), template.prepare()];
  const withoutId = ({ bytes, localReportId }: typeof one) =>
    Buffer.from(bytes).toString().replace(localReportId, '');
  expect(one.localReportId).not.toBe(other.localReportId);
  expect(one.sha256).not.toBe(other.sha256);
  expect(withoutId(one)).toBe(withoutId(other));
});
