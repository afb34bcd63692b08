/** What an Authorization header does beside a session, where both kinds of credential are taken. */
import { startServer, type SessionActor, type TestServer } from '@svc/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

let server: TestServer;
let person: SessionActor;

beforeAll(async () => {
  server = await startServer();
  person = await server.signUp();
});
afterAll(() => server.close());

describe('an Authorization header beside a session', () => {
  test.each([
    ['a scheme that a proxy in front may use', 'Basic dXNlcjpwYXNzd29yZA==', 200],
    ['a bearer token of nobody', 'Bearer nobody', 401],
    ['a bearer scheme without a token', 'Bearer ', 200],
  ])('[D3] %s', async (_title, authorization, status) => {
    const response = await person.fetch('/api/v1/workspaces', { headers: { authorization } });
    expect(response.status).toBe(status);
  });
});
