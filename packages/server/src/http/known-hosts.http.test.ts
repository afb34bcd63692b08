/** Which host names the service answers, over raw connections: hosts × routes. */
import { exchangeRaw, startServer, type RawAnswer } from '@svc/testkit';
import { sharedServer } from '@svc/testkit/suite';
import { describe, expect, test } from 'vitest';
import { readConfig } from '../config.ts';

const METRICS_TOKEN = 'x'.repeat(20);
const PAGE = 'Accept: text/html';
const { allowedHosts } = readConfig({ ALLOWED_HOSTS: 'Other.example, bücher.example,fqdn.example.' });

const server = sharedServer({
  config: {
    appBaseUrl: 'https://reports.test',
    apiBaseUrl: 'https://api.reports.test:8443',
    allowedHosts,
    metricsToken: METRICS_TOKEN,
    securityContact: 'mailto:security@reports.test',
  },
});

async function ask(
  host: string | null,
  call: string,
  lines: readonly string[] = [],
  port = server.port,
): Promise<RawAnswer> {
  const version = host === null ? 'HTTP/1.0' : 'HTTP/1.1';
  const head = [
    `${call} ${version}`,
    ...(host === null ? [] : [`Host: ${host}`]),
    'Connection: close',
    ...lines,
  ];
  const { answers } = await exchangeRaw(port, `${head.join('\r\n')}\r\n\r\n`);
  const [answer] = answers;
  if (!answer || answers.length > 1) throw new Error(`${answers.length} answers`);
  return answer;
}

/** The status, and the code of an error envelope. */
function outcomeOf({ status, body }: RawAnswer): string {
  const [, code] = /^\{"error":\{"code":"([A-Z_]+)"/.exec(body) ?? [];
  return code === undefined ? String(status) : `${status} ${code}`;
}

const known = [
  'reports.test',
  'REPORTS.Test:443',
  'reports.test:1',
  'reports.test.',
  'other.example',
  'OTHER.example:8080',
  'xn--bcher-kva.example',
  'fqdn.example',
  'fqdn.example.',
  '127.0.0.1',
  '192.0.2.7:8787',
  '[::1]',
  '[2001:DB8::7]:8787',
  '[::ffff:192.0.2.7]',
  'localhost',
  'LOCALHOST:8787',
  'localhost.',
  'svc.localhost',
  'svc',
  'my_container:8787',
  'nas.local',
  'svc.prod.svc.cluster.local',
  'metadata.internal',
  'router.lan',
  'nas.home.arpa',
  'nas.home.arpa.',
];

const unknown = [
  'evil.test',
  'evil.test:443',
  'reports.test.evil.test',
  'evil-reports.test',
  'sub.reports.test',
  'sub.other.example',
  'reports.tes',
  'localhost.evil.test',
  'evil-localhost.test',
  'notlocal.locals',
  'arpa.home',
  'x.arpa',
  '127.0.0.1.nip.io',
  '127.1',
  '1.2.3.4.5',
  '1.2.3.256',
  '0x7f.0.0.1',
  'svc.',
  'evil.test.',
  'evil.test:80:80',
  '[::1].evil.test',
  '[evil.test]',
  '[::1',
  '::1',
  '[]',
  '.',
  ':8787',
  '%6cocalhost',
  '\u00e9vil',
  '',
  null,
];

/** Each with its outcome under a known host. */
const routes: readonly (readonly [call: string, outcome: string])[] = [
  ['GET /api/v1/session', '401 UNAUTHENTICATED'],
  ['GET /api/v1/openapi.json', '200'],
  ['POST /api/v1/auth/logout', '200'],
  ['DELETE /api/v1/session', '404 NOT_FOUND'],
  ['GET /api/v1/nothing', '404 NOT_FOUND'],
  ['GET /api/v1/healthy', '404 NOT_FOUND'],
  ['GET /api/v1/sessions/%zz', '404 NOT_FOUND'],
  ['GET /api', '404 NOT_FOUND'],
];

const pages: readonly (readonly [call: string, outcome: string])[] = [
  ['GET /', '200'],
  ['GET /login?next=/', '200'],
  ['GET /docs', '200'],
  ['GET /nothing', '404'],
  ['GET /metricsx', '404'],
  ['GET /.well-known', '404'],
];

const anywhere: readonly (readonly [call: string, outcome: string])[] = [
  ['GET /api/v1/health', '200'],
  ['GET /api/v1/health?probe=1', '200'],
  ['GET /api/v1/ready', '200'],
  ['GET /metrics', '401 UNAUTHENTICATED'],
  ['GET /metrics?name=x', '401 UNAUTHENTICATED'],
  ['GET /.well-known/security.txt', '200'],
  ['GET /.well-known/change-password?from=x', '200'],
  ['GET /.well-known/nothing', '404 NOT_FOUND'],
];

describe.each(known)('the known host "%s"', (host) => {
  test('[D24] answers every route', async () => {
    for (const [call, outcome] of [...routes, ...anywhere])
      expect([call, outcomeOf(await ask(host, call))]).toEqual([call, outcome]);
  });

  test('[D24] answers every page', async () => {
    for (const [call, outcome] of pages)
      expect([call, outcomeOf(await ask(host, call, [PAGE]))]).toEqual([call, outcome]);
  });
});

test.each(['api.reports.test:8443', 'API.reports.test', 'api.reports.test.'])(
  '[D24] the host name of the API is known as "%s"',
  async (host) => {
    for (const [call, outcome] of routes)
      expect([call, outcomeOf(await ask(host, call))]).toEqual([call, outcome]);
  },
);

describe.each(unknown)('the unknown host "%s"', (host) => {
  test('[D24] [T6] gets 403 from every route and page, existing or not', async () => {
    for (const [call] of [...routes, ...pages])
      expect([call, outcomeOf(await ask(host, call))]).toEqual([call, '403 FORBIDDEN']);
  });

  test('[D24] gets probes, metrics and well-known addresses', async () => {
    for (const [call, outcome] of anywhere)
      expect([call, outcomeOf(await ask(host, call))]).toEqual([call, outcome]);
  });

  test('[D24] [T6] gets a page that names ALLOWED_HOSTS and nothing of the request, where a browser asks for one', async () => {
    for (const [call] of pages) {
      const { status, headers, body } = await ask(host, call, [PAGE]);
      expect([call, status, headers['content-type']]).toEqual([call, 403, 'text/html; charset=utf-8']);
      expect(body).toContain('<code>ALLOWED_HOSTS</code>');
      expect(body).not.toMatch(/evil|<script|<link/);
      expect(headers['content-security-policy']).toBe(
        "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
      );
    }
  });
});

/** What a script of a site sends that a browser takes for ours. */
const SAME_ORIGIN = ['Origin: http://evil.test', 'Sec-Fetch-Site: same-origin'];

describe('under an unknown host', () => {
  test('[D24] the error says what the operator can do, and does not repeat the host', async () => {
    const { body, headers } = await ask('evil.test', 'GET /api/v1/session');
    expect(JSON.parse(body)).toEqual({
      error: {
        code: 'FORBIDDEN',
        message: expect.stringContaining('ALLOWED_HOSTS') as string,
        requestId: headers['x-request-id'],
      },
    });
    expect(body).not.toContain('evil');
  });

  test('[D24] [T6] a script whose name leads here is rejected before its cookie is read', async () => {
    const person = await server.signUp();
    const body = JSON.stringify({ name: 'Team' });
    const own = [
      `Cookie: ${person.cookie}`,
      'Content-Type: application/json',
      `Content-Length: ${body.length}`,
      '',
      body,
    ];
    const call = 'POST /api/v1/workspaces';
    const rejected = await ask('evil.test', call, [...SAME_ORIGIN, ...own]);
    expect(outcomeOf(rejected)).toBe('403 FORBIDDEN');
    expect(outcomeOf(await ask('reports.test', call, [...SAME_ORIGIN, ...own]))).toBe('201');
  });

  test.each([
    ['X-Forwarded-Host: reports.test'],
    ['X-Host: reports.test'],
    ['Forwarded: host=reports.test'],
    ['X-Original-Host: reports.test'],
  ])('[D24] [T6] %s does not make it known, however many proxies are trusted', async (line) => {
    await using trusting = await startServer({ config: { trustedProxyHops: 2 } });
    for (const { port } of [server, trusting])
      expect(outcomeOf(await ask('evil.test', 'GET /api/v1/session', [line], port))).toBe('403 FORBIDDEN');
  });

  test('[D24] framing is checked first, and a large body is neither requested nor read', async () => {
    expect(outcomeOf(await ask('evil.test', 'GET /api/v1/session', ['Host: reports.test']))).toBe(
      '400 BAD_REQUEST',
    );
    const large = ['Content-Type: application/json', 'Content-Length: 99000000', 'Expect: 100-continue'];
    const head = ['POST /api/v1/auth/login HTTP/1.1', 'Host: evil.test', ...large, '', ''];
    const { continues, answers } = await exchangeRaw(server.port, head.join('\r\n'));
    expect([continues, answers.map(outcomeOf)]).toEqual([0, ['403 FORBIDDEN']]);
  });

  test('[D24] HEAD returns the status and headers of GET', async () => {
    for (const path of ['/', '/api/v1/session']) {
      const { status, body, headers } = await ask('evil.test', `HEAD ${path}`, [PAGE]);
      const get = await ask('evil.test', `GET ${path}`, [PAGE]);
      expect([status, body, headers['content-length']]).toEqual([403, '', get.headers['content-length']]);
    }
  });

  test('[D24] the log line has the code', async () => {
    await ask('evil.test', 'GET /', [PAGE]);
    const line = server.logLines.findLast((text) => text.includes('"msg":"request"')) ?? '';
    expect(JSON.parse(line)).toMatchObject({ route: '/', status: 403, code: 'FORBIDDEN' });
    expect(line).not.toContain('evil');
  });
});

test('[D24] without settings, the default origin and local names are answered, and no other', async () => {
  await using plain = await startServer({ config: { appBaseUrl: null } });
  const outcomes = ['localhost:1', '127.0.0.1', 'svc.test'].map(async (host) =>
    outcomeOf(await ask(host, 'GET /api/v1/session', [], plain.port)),
  );
  expect(await Promise.all(outcomes)).toEqual([
    '401 UNAUTHENTICATED',
    '401 UNAUTHENTICATED',
    '403 FORBIDDEN',
  ]);
});
