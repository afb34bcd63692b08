import { expect, test } from 'vitest';
import type { Connection } from '../connection/connect.ts';
import { ownReport } from './own-report.ts';

interface Query {
  readonly localReportId?: string;
  readonly before?: string;
}

/** 25 reports in pages of ten, each oldest first, as the service lists them. */
const all = Array.from({ length: 25 }, (_, index) => ({
  reportId: `rep_${index}`,
  localReportId: `r${index}`,
}));

function serviceThat(filters: boolean) {
  const queries: Query[] = [];
  const call = (_name: string, { query }: { readonly query: Query }) => {
    queries.push(query);
    const own = filters ? all.filter(({ localReportId }) => localReportId === query.localReportId) : all;
    const end =
      query.before === undefined ? own.length : own.findIndex((each) => each.reportId === query.before);
    return Promise.resolve({ body: { reports: own.slice(Math.max(0, end - 10), Math.max(0, end)) } });
  };
  return { connection: { call } as unknown as Pick<Connection, 'call'>, queries };
}

test('finds a report by its local id in one call', async () => {
  const { connection, queries } = serviceThat(true);
  const identity = { reportId: 'rep_3', localReportId: 'r3', projectId: 'prj' };
  expect(await ownReport(connection, identity)).toMatchObject({ reportId: 'rep_3' });
  expect(queries).toEqual([{ projectId: 'prj', localReportId: 'r3' }]);
});

test('finds a report page by page in a service that ignores the local id', async () => {
  const { connection, queries } = serviceThat(false);
  const identity = { reportId: 'rep_3', localReportId: 'r3', projectId: 'prj' };
  expect(await ownReport(connection, identity)).toMatchObject({ reportId: 'rep_3' });
  expect(queries).toHaveLength(3);
});

test.each([true, false])('returns null for an unknown report (filtering service: %s)', async (filters) => {
  const { connection } = serviceThat(filters);
  const identity = { reportId: 'rep_99', localReportId: 'r99', projectId: 'prj' };
  expect(await ownReport(connection, identity)).toBeNull();
});
