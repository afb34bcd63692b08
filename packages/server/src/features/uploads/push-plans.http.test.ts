/** A push costs the same for an owner with years of reports as for a new one. */
import { DatabaseSync } from 'node:sqlite';
import { postgresUrl, syncReport } from '@svc/testkit';
import { sharedServer } from '@svc/testkit/suite';
import { expect, test, vi } from 'vitest';

const preparing = vi.spyOn(DatabaseSync.prototype, 'prepare');
const server = sharedServer();

/** Indexes over all reports of an owner, a project or a workspace, expired ones included. */
const OF_ALL_REPORTS = /\bUSING (?:COVERING )?INDEX reports_by_(?:owner|project|workspace)\b/;

// The plans of PostgreSQL depend on the number of rows; the thorough tests look at them.
test.skipIf(postgresUrl !== undefined)(
  '[P11] no statement of a push reads all reports of an owner, a project or a workspace',
  async () => {
    const device = await server.linkDevice(await server.signUp());
    await syncReport(device);
    const connection = preparing.mock.contexts.at(-1) as DatabaseSync;
    const texts = new Set(preparing.mock.calls.map(([text]) => text));
    const plans = [...texts].flatMap((text) =>
      connection
        .prepare(`EXPLAIN QUERY PLAN ${text}`)
        .all()
        .map(({ detail }) => String(detail)),
    );
    expect(plans.join('\n')).toContain('SEARCH uploads USING INDEX uploads_by_report');
    expect(plans.filter((step) => OF_ALL_REPORTS.test(step))).toEqual([]);
  },
);
