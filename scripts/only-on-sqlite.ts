/**
 * Tests of the service that never run on PostgreSQL: they start the service on a bare machine, look at exports in a
 * browser, send what is rejected before a database is asked, or examine the bytes and headers around what a database
 * returned.
 */
export const onlyOnSqlite: readonly string[] = [
  'packages/server/test/contract/{credentials,cross-site,validation}.test.ts',
  'packages/server/test/failures/start.test.ts',
  'packages/server/test/journeys/polyglots-in-browser.test.ts',
  'packages/server/src/http/{answers,hostnames,malformed-requests,request-bodies}.test.ts',
  'packages/server/src/features/pages/*.test.ts',
  'packages/server/src/features/updates/*.test.ts',
  'packages/server/src/features/auth/guessable.http.test.ts',
  'packages/server/src/features/devices/link-description.http.test.ts',
];
