import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { capConnections } from './connection-cap.ts';

const BOUND = 3;
let server: Server;
let clients: Socket[] = [];

afterEach(() => {
  for (const client of clients) client.destroy();
  clients = [];
  server.closeAllConnections();
  server.close();
});

/** A server that greets every connection that it keeps. */
async function listen(trustedProxyHops: number, perAddressMax?: number): Promise<void> {
  server = createServer();
  capConnections(server, trustedProxyHops, perAddressMax);
  server.on('connection', (socket: Socket) => {
    if (!socket.destroyed) socket.write('hello');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
}

/** Whether the server kept the new connection. */
async function isKept(localAddress = '127.0.0.1'): Promise<boolean> {
  const { port } = server.address() as AddressInfo;
  const client = connect({ host: '127.0.0.1', port, localAddress });
  clients.push(client);
  client.on('error', () => undefined);
  const greeted = once(client, 'data').then(() => true);
  const closed = once(client, 'close').then(() => false);
  return Promise.race([greeted, closed]);
}

async function kept(count: number): Promise<number> {
  let keptCount = 0;
  for (let index = 0; index < count; index += 1) if (await isKept()) keptCount += 1;
  return keptCount;
}

describe('connections of one address', () => {
  test('[T23] beyond the limit are ended immediately, and open ones stay', async () => {
    await listen(0, BOUND);
    expect(await kept(BOUND + 5)).toBe(BOUND);
    expect(clients.slice(0, BOUND).every((client) => !client.destroyed)).toBe(true);
  });

  test('[T23] no longer count once they ended for any reason', async () => {
    await listen(0, BOUND);
    await kept(BOUND + 1);
    const [first, second] = clients;
    first?.end();
    second?.resetAndDestroy();
    while ((await connectionsOf()) > 1) await new Promise((resolve) => void setImmediate(resolve));
    expect(await kept(BOUND)).toBe(2);
  });

  test('[T23] may be a thousand or more by default', async () => {
    await listen(0);
    expect(await kept(1100)).toBe(1100);
  });

  test('[T23] are not counted behind a proxy, because all of them come from it', async () => {
    await listen(1, BOUND);
    expect(await kept(BOUND + 5)).toBe(BOUND + 5);
  });
});

test.runIf(process.platform === 'linux')(
  '[T23] connections of one address do not count for another',
  async () => {
    await listen(0, BOUND);
    expect(await kept(BOUND + 1)).toBe(BOUND);
    expect(await isKept('127.0.0.2')).toBe(true);
  },
);

function connectionsOf(): Promise<number> {
  return new Promise((resolve) => {
    server.getConnections((_, count) => resolve(count));
  });
}
