/**
 * A server shared by all tests of a file or of a `describe`. It starts before the first test and stops after the
 * last.
 */
import type { Clock } from '@svc/server/ports';
import { afterAll, beforeAll } from 'vitest';
import { startServer, type TestServer, type TestServerOptions } from './server.ts';
import { startTeamServer, type TeamServer } from './team-server.ts';

/** Call it where hooks can be added; the returned object is empty until the first test starts. */
export function sharedServer(options: TestServerOptions = {}): TestServer {
  return shared(() => startServer(options));
}

/** Like `sharedServer`, with a team. */
export function sharedTeamServer(clock: Clock): TeamServer {
  return shared(() => startTeamServer(clock));
}

function shared<Server extends TestServer>(start: () => Promise<Server>): Server {
  const server = {} as Server;
  beforeAll(async () => {
    Object.assign(server, await start());
  });
  afterAll(() => server.close());
  return server;
}
