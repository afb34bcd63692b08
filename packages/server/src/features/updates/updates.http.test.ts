import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { exchangeRaw, startServer, type TestServer } from '@svc/testkit';
import { inLane } from '@svc/testkit/lane';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const ADDRESS = '/api/v1/updates/manifest';

let folder: string;
let file: string;
let server: TestServer;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'svc-updates-'));
  file = path.join(folder, 'manifest.json');
  server = await startServer({ config: { updateManifestPath: file } });
});
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true });
});

const manifestOf = (payload: string) =>
  ` ${JSON.stringify({ payloadType: 'any', payload, signatures: [{ keyid: 'k', sig: 's' }] }, null, 1)}\n`;

const ask = (init: RequestInit = {}, of: TestServer = server) => of.anonymous.fetch(ADDRESS, init);

async function replace(content: string): Promise<void> {
  await writeFile(`${file}.new`, content);
  await rename(`${file}.new`, file);
}

describe('GET /updates/manifest', () => {
  test('[D2] [D14] returns the file byte for byte, public for five minutes, even to a conditional request', async () => {
    await replace(manifestOf('ä'));
    const response = await ask({ headers: { 'if-none-match': '*', 'accept-encoding': 'gzip, br' } });
    expect(Buffer.from(await response.arrayBuffer())).toEqual(Buffer.from(manifestOf('ä')));
    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'cache-control': 'public, max-age=300',
      'content-type': 'application/json; charset=utf-8',
      'x-content-type-options': 'nosniff',
      'x-request-id': expect.any(String),
    });
    for (const name of ['content-encoding', 'set-cookie', 'etag'])
      expect(response.headers.get(name)).toBeNull();
  });

  test('[D2] HEAD returns what GET returns, without the body', async () => {
    await replace(manifestOf('head'));
    const of = async (method: string) => {
      const request = `${method} ${ADDRESS} HTTP/1.1\r\nHost: svc.test\r\nConnection: close\r\n\r\n`;
      const { answers } = await exchangeRaw(server.port, request);
      const { date, 'x-request-id': id, ...headers } = answers[0]?.headers ?? {};
      expect([typeof date, typeof id]).toEqual(['string', 'string']);
      return { status: answers[0]?.status, headers, body: answers[0]?.body };
    };
    const [head, get] = [await of('HEAD'), await of('GET')];
    expect(head).toEqual({ ...get, body: '' });
    expect(get.body).toBe(manifestOf('head'));
  });

  test(
    '[T21] follows a replaced file, and each of many readers gets the whole old or the whole new file',
    { tags: 'repeated' },
    async () => {
      const contents = Array.from({ length: inLane(4, 20) }, (_, index) =>
        manifestOf(`${index} `.repeat(20_000)),
      );
      await replace(contents[0] ?? '');
      const over = new AbortController();
      const seen: { status: number; text: string }[] = [];
      const readers = Array.from({ length: 4 }, async () => {
        while (!over.signal.aborted) {
          const response = await ask();
          seen.push({ status: response.status, text: await response.text() });
        }
      });
      for (const content of contents) {
        await replace(content);
        expect(await (await ask()).text()).toBe(content);
      }
      over.abort();
      await Promise.all(readers);
      expect(seen.filter(({ status }) => status !== 200)).toEqual([]);
      expect(seen.filter(({ text }) => !contents.includes(text))).toEqual([]);
    },
  );

  test.each([
    ['does not exist', null],
    ['is larger than 1 MiB', manifestOf('x'.repeat(1024 * 1024))],
  ])('[D14] a file that %s is a temporary failure, whose reason is only logged', async (_, content) => {
    await rm(file, { force: true });
    if (content !== null) await writeFile(file, content);
    const response = await ask();
    const body = (await response.json()) as { error: { code: string; requestId: string } };
    expect({ status: response.status, code: body.error.code }).toEqual({ status: 503, code: 'INTERNAL' });
    expect(response.headers.get('cache-control')).toBe('private, no-store, must-revalidate');
    expect(response.headers.get('retry-after')).toBe('5');
    expect(JSON.stringify(body)).not.toContain(folder);
    const lines = server.logLines.filter((line) => line.includes(body.error.requestId));
    expect(lines.join('')).toContain('UPDATE_MANIFEST_PATH');
  });

  test('[D14] a file that is fixed works again immediately', async () => {
    await writeFile(file, 'broken');
    expect((await ask()).status).toBe(503);
    await writeFile(file, manifestOf('fixed'));
    expect(await (await ask()).text()).toBe(manifestOf('fixed'));
  });

  test('[D14] without a configured file the address does not exist', async () => {
    await using bare = await startServer();
    const response = await ask({}, bare);
    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({ error: { code: 'NOT_FOUND' } });
    expect(response.headers.get('cache-control')).toBe('private, no-store, must-revalidate');
  });
});
