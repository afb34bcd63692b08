/** Documents of the pages over HTTP: who gets which, and with which headers. */
import { firstDataOf } from '@svc/testkit';
import { sharedServer } from '@svc/testkit/suite';
import { expect, test } from 'vitest';

/** Addresses with a page for everyone, signed in or not. */
const addresses = [
  '/',
  '/docs',
  '/install',
  '/login',
  '/projects/prj_1',
  '/recover',
  '/reports/rep_1',
  '/sample',
  '/settings',
  '/signup',
  '/workspaces/wsp_1',
];
const asBrowser = { headers: { accept: 'text/html,application/xhtml+xml' } };

const server = sharedServer();

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
    "worker-src 'self'",
    'trusted-types svc-worker',
  ]);
});

test('every file that a document names exists', async () => {
  const text = await (await server.anonymous.fetch('/login', asBrowser)).text();
  const loaded = [...text.matchAll(/ (?:src|href)="([^"]*)"/g)].map((match) => match[1] ?? '');
  const answers = await Promise.all(loaded.map((file) => server.anonymous.fetch(file)));
  expect(answers.map(({ status }) => status)).toEqual(loaded.map(() => 200));
});

test.each(['/nothing', '/reports', '/docs/deeper', '/signup/', '/index.html'])(
  '%s is not found: a page for browsers, an error for other clients',
  async (address) => {
    const page = await server.anonymous.fetch(address, asBrowser);
    expect(page.status).toBe(404);
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(page.headers.get('content-security-policy')).toContain("script-src 'self'");
    expect((await firstDataOf(page)).data).toEqual([]);
    const head = await server.anonymous.fetch(address, { ...asBrowser, method: 'HEAD' });
    expect(head.status).toBe(404);
    expect(head.headers.get('content-type')).toBe('text/html; charset=utf-8');
    const error = await server.anonymous.fetch(address, { headers: { accept: 'application/json' } });
    expect(error.status).toBe(404);
    expect(await error.json()).toMatchObject({ error: { code: 'NOT_FOUND' } });
  },
);

test('an unknown address of the API never returns a page', async () => {
  const response = await server.anonymous.fetch('/api/v1/nothing', asBrowser);
  expect(response.status).toBe(404);
  expect(await response.json()).toMatchObject({ error: { code: 'NOT_FOUND' } });
});

test('a document names the signed-in account, and no account without a session', async () => {
  const person = await server.signUp();
  const own = await firstDataOf(await person.fetch('/settings', asBrowser));
  expect(own.data).toMatchObject([
    { name: 'getSession', body: { user: { userId: person.user.userId, email: person.email } } },
  ]);
  const other = await firstDataOf(await server.anonymous.fetch('/settings', asBrowser));
  expect(other.data).toEqual([{ name: 'getSession', body: null }]);
});

test('[T12] a display name with markup is data in the document', async () => {
  const displayName = '</script><script>alert(1)</script>';
  const person = await server.signUp({ displayName });
  const { data, rest } = await firstDataOf(await person.fetch('/settings', asBrowser));
  expect(rest).not.toContain(displayName);
  // Its two scripts and its data.
  expect(rest.match(/<\/script/gi)).toHaveLength(3);
  expect(data).toMatchObject([{ body: { user: { displayName } } }]);
});
