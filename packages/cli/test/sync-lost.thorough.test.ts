/** Calls of every kind that do not arrive; lost responses are in sync-lost.http.test.ts. */
import { startServer } from '@svc/testkit';
import { afterAll, expect, test } from 'vitest';
import { nothingLeft, syncAfterLoss } from './sync-agreement.ts';

const server = await startServer();
afterAll(() => server.close());

test.each(['create', 'progress', 'intent', 'upload', 'finalize'] as const)(
  '[D6] a call %s that does not arrive is repeated, or made by a later sync',
  async (name) => {
    expect(await syncAfterLoss(server, name, 'lose_request', 'once')).toMatchObject(nothingLeft);
    expect(await syncAfterLoss(server, name, 'lose_request', 'always')).toMatchObject(nothingLeft);
  },
);
