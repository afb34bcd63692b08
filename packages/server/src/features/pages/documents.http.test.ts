/** Documents of the pages over HTTP: who gets which, with what around it. */
import { startServer, type TestServer } from '@svc/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';

/** Addresses that anyone gets a page at, signed in or not. */
const addresses = [
  '/',
  '/docs',
  '/login',
  '/projects/prj_1',
  '/recover',
  '/reports/rep_1',
  '/sample',
  '/settings',
  '/signup',
  '/workspaces/wsp_1',
];
const FIRST_DATA = /<script type="application\/json" id="first-data">(.*)<\/script>/;
const asBrowser = { headers: { accept: 'text/html,application/xhtml+xml' } };

let server: TestServer;

beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

const firstDataOf = (text: string) => JSON.parse(FIRST_DATA.exec(text)?.[1] ?? '') as unknown;

test.each(addresses)('%s is a document that loads only files of this service', async (address) => {
  const response = await server.anonymous.fetch(address, asBrowser);
  expect(response.status).toBe(200);
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'private, no-store, must-revalidate',
    'cross-origin-opener-policy': 'same-origin',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
  });
  const text = await response.text();
  expect(text.startsWith('<!doctype html>')).toBe(true);
  const loaded = [...text.matchAll(/ (?:src|href)="([^"]*)"/g)].map((match) => match[1]);
  expect(loaded.length).toBeGreaterThan(2);
  expect(loaded.filter((file) => !file?.startsWith('/assets/'))).toEqual([]);
});

test('[T12] the policy of a document names this service alone, and lets no script write markup', async () => {
  const response = await server.anonymous.fetch('/login', asBrowser);
  expect(response.headers.get('content-security-policy')?.split('; ')).toEqual([
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ]);
});

test('what a document names is there', async () => {
  const text = await (await server.anonymous.fetch('/login', asBrowser)).text();
  const loaded = [...text.matchAll(/ (?:src|href)="([^"]*)"/g)].map((match) => match[1] ?? '');
  const answers = await Promise.all(loaded.map((file) => server.anonymous.fetch(file)));
  expect(answers.map(({ status }) => status)).toEqual(loaded.map(() => 200));
});

test.each(addresses)('HEAD of %s says what GET says, without the document', async (address) => {
  const [got, head] = await Promise.all([
    server.anonymous.fetch(address, asBrowser),
    server.anonymous.fetch(address, { ...asBrowser, method: 'HEAD' }),
  ]);
  expect(head.status).toBe(got.status);
  expect(await head.text()).toBe('');
  for (const name of ['content-length', 'content-type', 'content-security-policy', 'cache-control'])
    expect(head.headers.get(name)).toBe(got.headers.get(name));
});

test.each(['/nothing', '/reports', '/docs/deeper', '/signup/', '/index.html'])(
  '%s is not found, by a page for browsers and by an error for others',
  async (address) => {
    const page = await server.anonymous.fetch(address, asBrowser);
    expect(page.status).toBe(404);
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(page.headers.get('content-security-policy')).toContain("script-src 'self'");
    const text = await page.text();
    expect(firstDataOf(text)).toEqual([]);
    const head = await server.anonymous.fetch(address, { ...asBrowser, method: 'HEAD' });
    expect(head.status).toBe(404);
    expect(head.headers.get('content-type')).toBe('text/html; charset=utf-8');
    const error = await server.anonymous.fetch(address, { headers: { accept: 'application/json' } });
    expect(error.status).toBe(404);
    expect(await error.json()).toMatchObject({ error: { code: 'NOT_FOUND' } });
  },
);

test('an address of the API that is not there is never a page', async () => {
  const response = await server.anonymous.fetch('/api/v1/nothing', asBrowser);
  expect(response.status).toBe(404);
  expect(await response.json()).toMatchObject({ error: { code: 'NOT_FOUND' } });
});

test('a document says who is signed in, and nothing of anyone when nobody is', async () => {
  const person = await server.signUp();
  const own = await (await person.fetch('/settings', asBrowser)).text();
  expect(firstDataOf(own)).toMatchObject([
    { name: 'getSession', body: { user: { userId: person.user.userId, email: person.email } } },
  ]);
  const other = await (await server.anonymous.fetch('/settings', asBrowser)).text();
  expect(firstDataOf(other)).toEqual([{ name: 'getSession', body: null }]);
});

test.each(['</script><script>alert(1)</script>', '<!-- <script>', 'a"b\\c\'d&amp;', '<svg onload=alert(1)>'])(
  '[T12] a person named %j is data in their document',
  async (displayName) => {
    const person = await server.signUp({ displayName });
    const text = await (await person.fetch('/settings', asBrowser)).text();
    expect(text).not.toContain(displayName);
    expect(text.match(/<\/script/gi)).toHaveLength(2);
    expect(firstDataOf(text)).toMatchObject([{ body: { user: { displayName } } }]);
  },
);
