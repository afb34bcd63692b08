/** Files that pages load, over raw HTTP. */
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { request as requestOf, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import path from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { sharedServer } from '@svc/testkit/suite';
import { beforeAll, expect, test } from 'vitest';

const folder = path.join(import.meta.dirname, '../../../../web/dist/assets');
const IMMUTABLE = 'public, max-age=31536000, immutable';

const server = sharedServer();
let names: string[];
/** The script of the pages, which is available in every coding. */
let script: string;
let plain: Buffer;

beforeAll(async () => {
  names = await readdir(folder);
  script = names.find((name) => /^app-.*\.js$/.test(name)) ?? '';
  plain = await readFile(path.join(folder, script));
});

interface RawResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
}

/** Uses no HTTP client that decodes the body or normalizes the path. */
async function ask(file: string, headers: Record<string, string> = {}, method = 'GET'): Promise<RawResponse> {
  const call = requestOf({ host: '127.0.0.1', port: server.port, path: file, method, headers });
  call.end();
  const [response] = (await once(call, 'response')) as [IncomingMessage];
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  return { status: response.statusCode ?? 0, headers: response.headers, bytes: Buffer.concat(chunks) };
}

test.each<[accepted: string, coding: string | undefined, decode: (bytes: Buffer) => Buffer]>([
  ['gzip, deflate, br, zstd', 'br', (bytes) => brotliDecompressSync(bytes)],
  ['gzip', 'gzip', (bytes) => gunzipSync(bytes)],
  ['identity', undefined, (bytes) => bytes],
  ['', undefined, (bytes) => bytes],
])(
  'a script requested with accept-encoding %j has the coding %s, and the same content',
  async (accepted, coding, decode) => {
    const { status, headers, bytes } = await ask(`/assets/${script}`, { 'accept-encoding': accepted });
    expect(status).toBe(200);
    expect(headers['content-encoding']).toBe(coding);
    expect(headers).toMatchObject({
      'cache-control': IMMUTABLE,
      'content-length': String(bytes.length),
      'content-type': 'text/javascript; charset=utf-8',
      'x-content-type-options': 'nosniff',
      vary: 'accept-encoding',
    });
    expect(decode(bytes).equals(plain)).toBe(true);
  },
);

test('each file has the media type that browsers expect', async () => {
  const types: Record<string, string> = {
    css: 'text/css; charset=utf-8',
    js: 'text/javascript; charset=utf-8',
    svg: 'image/svg+xml',
  };
  const files = names.filter((name) => !/\.(?:br|gz)$/.test(name));
  const answers = await Promise.all(files.map((name) => ask(`/assets/${name}`)));
  expect(answers.map(({ headers }) => headers['content-type'])).toEqual(
    files.map((name) => types[name.split('.').at(-1) ?? '']),
  );
});

test('HEAD returns what GET returns, without the body', async () => {
  const head = await ask(`/assets/${script}`, { 'accept-encoding': 'br' }, 'HEAD');
  const got = await ask(`/assets/${script}`, { 'accept-encoding': 'br' });
  expect(head.bytes.length).toBe(0);
  const { date: _date, 'x-request-id': _id, ...said } = head.headers;
  expect(got.headers).toMatchObject(said);
  expect(said['content-length']).toBe(String(got.bytes.length));
});

test.each([
  '/assets/',
  '/assets/nothing.js',
  '/assets/toString',
  '/assets/.',
  '/assets/..',
  '/assets/../manifest.json',
  '/assets/%2e%2e/manifest.json',
  '/assets/..%2fmanifest.json',
  '/assets/..%5cmanifest.json',
  '/assets/%2e%2e%2f%2e%2e%2f%2e%2e%2fpackage.json',
  '/assets//etc/passwd',
  '/assets/%00',
  '/assets/app.js%00.css',
])('%s does not exist for any client', async (address) => {
  for (const accept of ['*/*', 'text/html']) {
    const { status, headers, bytes } = await ask(address, { accept });
    expect(status).toBe(404);
    expect(headers['content-type']).toBe('application/json; charset=utf-8');
    expect(headers['cache-control']).toBe('private, no-store, must-revalidate');
    expect(JSON.parse(bytes.toString())).toMatchObject({ error: { code: 'NOT_FOUND' } });
  }
});

test('compressed variants of a file have no address of their own', async () => {
  expect(names).toContain(`${script}.br`);
  expect((await ask(`/assets/${script}.br`)).status).toBe(404);
});
