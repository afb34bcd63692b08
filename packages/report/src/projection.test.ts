import { ReportProjection } from '@svc/contract';
import { issuesOf, validatorOf } from '@svc/contract/validation';
import { expect, test } from 'vitest';
import { reportOf } from '../test/samples.ts';
import { wholeProjection } from './projection.ts';

const projectedFor = { principalType: 'user' } as const;
const reportId = `rep_${'0'.repeat(26)}`;

test('the whole projection is the report without what is between the client and the service', () => {
  const report = reportOf({ redactionNotice: 'said by the client' });
  const { localReportId, redactionNotice, ...rest } = report;
  expect(redactionNotice).toBe('said by the client');
  const projection = wholeProjection(report, { reportId, projectedFor });
  expect(projection).toEqual({ ...rest, id: reportId, projectedFor });
  expect(JSON.stringify(projection)).not.toContain(localReportId);
  expect(issuesOf(validatorOf(ReportProjection), projection)).toEqual([]);
});

test('a field that reports do not have is in no projection', () => {
  const report = { ...reportOf(), added: 'canary' };
  expect(JSON.stringify(wholeProjection(report, { reportId, projectedFor }))).not.toContain('canary');
});
