/**
 * Tests of the service that never run on PostgreSQL. They start the service on a bare machine, look at exports in a
 * browser, examine framing, headers and files, or repeat for each endpoint what is decided before its own statements run.
 */
export const onlyOnSqlite: readonly string[] = [
  'packages/server/test/contract/{credentials,cross-site,validation}.test.ts',
  'packages/server/test/failures/start.test.ts',
  'packages/server/test/journeys/polyglots-in-browser.test.ts',
  'packages/server/src/http/{answers,hostnames,malformed-requests,request-bodies}.test.ts',
  'packages/server/src/features/pages/{asset-files,documents,download-addresses}.http.test.ts',
  'packages/server/src/features/updates/*.test.ts',
  'packages/server/src/features/auth/guessable.http.test.ts',
];
