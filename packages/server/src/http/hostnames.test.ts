/** Which host name serves what, and that no host name from a request gets into a response. */
import { endpoints, operations, type Endpoint } from '@svc/contract';
import { exchangeRaw, startServer, type RawAnswer } from '@svc/testkit';
import { sharedServer } from '@svc/testkit/suite';
import { describe, expect, test } from 'vitest';

const APP = 'https://reports.test';
const API = 'https://api.reports.test';

const CONTACT = 'mailto:security@reports.test';

const server = sharedServer({
  config: {
    appBaseUrl: APP,
    apiBaseUrl: API,
    securityContact: CONTACT,
    platformAdminEmail: 'operator@reports.test',
  },
});

interface Asked {
  readonly headers?: readonly string[];
  readonly body?: string;
  /** The port of another server. */
  readonly port?: number;
}

async function ask(host: string, target: string, method = 'GET', given: Asked = {}): Promise<RawAnswer> {
  const { headers = [], body = '', port = server.port } = given;
  const lines = [`${method} ${target} HTTP/1.1`, `Host: ${host}`, 'Connection: close', ...headers];
  const { answers } = await exchangeRaw(port, `${lines.join('\r\n')}\r\n\r\n${body}`);
  const [answer] = answers;
  if (!answer || answers.length > 1) throw new Error(`${answers.length} answers`);
  return answer;
}

describe('the host name of the API', () => {
  test.each([
    ['/api/v1/health', 200],
    ['/api/v1/ready', 200],
    ['/api/v1/openapi.json', 200],
    ['/api/v1/session', 401],
    ['/api/v1/nothing', 404],
    ['/api', 404],
    ['/api/', 404],
    ['/api?x=1', 404],
    ['/.well-known/security.txt', 200],
    ['/.well-known/change-password', 200],
    ['/.well-known/nothing', 404],
  ])('[D15] returns %s with %i', async (target, status) => {
    expect((await ask('api.reports.test', target)).status).toBe(status);
  });

  test.each([
    '/',
    '/?next=/x',
    '/link/abc',
    '/download/svc.mjs',
    '/reports/rep_1?a=b&c=%20d',
    '/s/slug',
    '/apis',
    '/api.json',
    '/assets/app.js',
    '/.well-known',
    '//evil.test/x',
    '/%2F%2Fevil.test',
    '/nothing?url=http://evil.test',
  ])('[D15] redirects %s to the pages with path and query', async (target) => {
    const answer = await ask('api.reports.test', target);
    expect(answer.status).toBe(308);
    expect(answer.headers).toMatchObject({
      location: APP + target,
      'cache-control': 'private, no-store, must-revalidate',
      'x-request-id': expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
    expect(new URL(String(answer.headers['location'])).host).toBe('reports.test');
  });

  test.each(['POST', 'PUT', 'DELETE', 'HEAD', 'OPTIONS'])('[D15] redirects %s like GET', async (method) => {
    const answer = await ask('api.reports.test', '/link/abc', method);
    expect([answer.status, answer.headers['location']]).toEqual([308, `${APP}/link/abc`]);
  });

  test.each(['API.Reports.TEST', 'api.reports.test:443', 'Api.reports.test:443', 'api.reports.test.'])(
    '[D15] is recognized in %s',
    async (host) => {
      expect((await ask(host, '/')).status).toBe(308);
    },
  );

  test.each([
    'reports.test',
    'localhost:8787',
    '127.0.0.1',
    'api.reports.test.local',
    'api.reports.test:8443',
  ])('[D15] is not "%s", which serves pages and API', async (host) => {
    expect((await ask(host, '/')).status).toBe(200);
    expect((await ask(host, '/api/v1/health')).status).toBe(200);
  });

  test('[D15] does not matter for probes and well-known addresses, which never redirect', async () => {
    const targets = [
      '/api/v1/health',
      '/api/v1/ready',
      '/.well-known/security.txt',
      '/.well-known/change-password',
    ];
    for (const host of ['reports.test', 'api.reports.test', 'elsewhere.test']) {
      for (const target of [...targets, ...targets.map((path) => `${path}?probe=1`)]) {
        expect((await ask(host, target)).status).toBe(200);
      }
    }
  });
});

test('[D15] without a configured host name for the API, one host name serves everything', async () => {
  await using single = await startServer({ config: { securityContact: CONTACT } });
  for (const target of ['/', '/api/v1/health', '/.well-known/security.txt'])
    expect((await ask('svc.test', target, 'GET', { port: single.port })).status).toBe(200);
});

test('[D15] security.txt contains the configured contact, an expiry and its own address', async () => {
  const { body, headers } = await ask('elsewhere.test', '/.well-known/security.txt');
  expect(headers['content-type']).toBe('text/plain; charset=utf-8');
  expect(body).toContain(`Contact: ${CONTACT}\n`);
  expect(Date.parse(/^Expires: (\S+)$/m.exec(body)?.[1] ?? '')).toBeGreaterThan(Date.now());
  expect(body).toContain(`Canonical: ${APP}/.well-known/security.txt`);
});

test('[T25] without a contact there is no security.txt, and nothing names the administrator', async () => {
  await using silent = await startServer({ config: { platformAdminEmail: 'canary-boss@reports.test' } });
  const get = async (path: string) => {
    const answer = await silent.anonymous.fetch(path, { headers: { accept: 'text/html' } });
    return { status: answer.status, text: await answer.text() };
  };
  expect(await get('/.well-known/security.txt')).toMatchObject({ status: 404 });
  const paths = ['/', '/signup', '/signup?setup', '/login', '/docs', '/api/v1/openapi.json', '/api/v1/ready'];
  for (const path of [...paths, '/.well-known/security.txt', '/.well-known/change-password', '/nothing'])
    expect((await get(path)).text).not.toContain('canary-boss');
});

test('[D15] change-password is a page with a link to the pages, not a redirect', async () => {
  const { status, body, headers } = await ask('api.reports.test', '/.well-known/change-password');
  expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
  expect(Object.keys(headers)).not.toContain('location');
  expect(Object.keys(headers)).not.toContain('refresh');
  expect(body).not.toMatch(/http-equiv|<script/i);
  expect(body).toContain(`href="${APP}`);
});

describe('host names that a request invents', () => {
  // Nobody chose this name, but requests for it are answered.
  const canary = 'canary-host.internal';
  const naming = [
    `X-Forwarded-Host: ${canary}`,
    `X-Host: ${canary}`,
    `X-Forwarded-Server: ${canary}`,
    `X-Original-URL: /${canary}`,
    `X-Rewrite-URL: /${canary}`,
    `Forwarded: host=${canary};proto=https`,
    `Referer: https://${canary}/page`,
  ];

  const fill = ({ path }: Endpoint) => `/api/v1${path.replace(/\{\w+\}/g, 'nothing')}`;
  const targets = [
    '/',
    '/link/nothing',
    '/invitations/nothing',
    '/install',
    '/download/programs.json',
    '/download/svc.mjs',
    '/.well-known/security.txt',
    '/.well-known/change-password',
  ];
  const calls = [
    ...targets.map((target) => ['GET', target] as const),
    ...operations.map((operation) => [endpoints[operation].method, fill(endpoints[operation])] as const),
  ];

  test.each([0, 1, 2])(
    '[T6] are in no body and no header, with %i trusted proxies',
    async (trustedProxyHops) => {
      await using trusting = await startServer({
        config: { trustedProxyHops, appBaseUrl: APP, apiBaseUrl: API },
      });
      for (const [method, target] of calls) {
        const answer = await ask(canary, target, method, { headers: naming, port: trusting.port });
        expect(JSON.stringify(answer)).not.toContain('canary');
      }
    },
  );

  test('[T6] are not in the links that the service creates', async () => {
    const described = { deviceName: '', clientVersion: '', osFamily: '', arch: '' };
    const body = JSON.stringify({ verifierHash: 'a'.repeat(64), ...described });
    const headers = ['Content-Type: application/json', `Content-Length: ${body.length}`, ...naming];
    const answer = await ask(canary, '/api/v1/device-links', 'POST', { headers, body });
    expect(answer.status).toBe(201);
    const made = JSON.parse(answer.body) as { approvalUrl: string; publicRequestId: string };
    expect(made.approvalUrl).toBe(`${APP}/link/${made.publicRequestId}`);
    expect(JSON.stringify(answer)).not.toContain('canary');
  });
});
