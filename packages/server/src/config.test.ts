import { randomBytes } from 'node:crypto';
import { Email } from '@svc/contract';
import { validatorOf } from '@svc/contract/validation';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readConfig, type Config, type Environment } from './config.ts';
import type { S3Place } from './platform/blobs/s3-place.ts';
import { StartError } from './start-error.ts';

function linesOf(environment: Environment): readonly string[] {
  let rejected: unknown;
  try {
    readConfig(environment);
  } catch (error) {
    rejected = error;
  }
  expect(rejected).toBeInstanceOf(StartError);
  return (rejected as StartError).lines;
}

function isTaken(environment: Environment): boolean {
  try {
    readConfig(environment);
    return true;
  } catch {
    return false;
  }
}

const KEY = randomBytes(32).toString('base64');

describe('defaults', () => {
  const defaults: Config = {
    host: '127.0.0.1',
    port: 8787,
    appBaseUrl: null,
    apiBaseUrl: null,
    allowedHosts: [],
    dataDir: './data',
    database: { kind: 'sqlite' },
    redis: null,
    bucket: null,
    reportBytesMax: 12 * 1024 * 1024,
    streams: { lifetimeMs: 300_000, perUserMax: 50, allMax: 20_000 },
    masterKeys: [],
    trustedProxyHops: 0,
    drainMs: 1000,
    sessionIdleMs: 30 * 86_400_000,
    confirmAfterMs: null,
    platformAdminEmail: null,
    setupToken: null,
    securityContact: null,
    signUp: 'open',
    plansPath: null,
    throttlesPath: null,
    updateManifestPath: null,
    billingWebhookSecrets: [],
    clientVersions: { min: null, revoked: [] },
    metricsToken: null,
    tracing: null,
    logLevel: 'info',
  };

  test('[D15] an empty environment gives the defaults', () => {
    expect(readConfig({})).toEqual(defaults);
  });

  test('[D15] empty and blank values count as unset', () => {
    const names =
      'HOST PORT APP_BASE_URL API_BASE_URL ALLOWED_HOSTS DATA_DIR DATABASE_URL BLOB_URL REDIS_URL MAX_REPORT_BYTES SSE_MAX_STREAM_MS SSE_MAX_PER_USER ' +
      'SSE_MAX_STREAMS SVC_MASTER_KEY TRUSTED_PROXY_HOPS DRAIN_SECONDS SESSION_IDLE_DAYS CONFIRM_AFTER_HOURS PLATFORM_ADMIN_EMAIL SVC_SETUP_TOKEN SECURITY_CONTACT SIGNUP UPDATE_MANIFEST_PATH PLANS_PATH THROTTLES_PATH MIN_CLIENT_VERSION REVOKED_CLIENT_VERSIONS BILLING_WEBHOOK_SECRET LOG_LEVEL METRICS_TOKEN OTEL_EXPORTER_OTLP_ENDPOINT OTEL_EXPORTER_OTLP_TRACES_ENDPOINT';
    for (const blank of ['', '  ', '\t']) {
      expect(readConfig(Object.fromEntries(names.split(' ').map((name) => [name, blank])))).toEqual(defaults);
    }
  });

  test('[D15] unknown variables change nothing', () => {
    expect(readConfig({ PATH: '/bin', port: '1', SVC_DEVICE_TOKEN: 'x', DATABASE: 'y' })).toEqual(defaults);
  });
});

describe('a bucket', () => {
  test.each<[string, Environment, Partial<S3Place>]>([
    ['s3://bucket?region=eu-central-1', {}, { bucket: 'bucket', prefix: '', endpoint: null }],
    ['s3://bucket/a/b/?region=eu-central-1', {}, { prefix: 'a/b/' }],
    ['s3://bucket', { AWS_REGION: 'eu-west-1' }, { region: 'eu-west-1' }],
    ['s3://bucket?region=eu-central-1', { AWS_REGION: 'eu-west-1' }, { region: 'eu-central-1' }],
    [
      's3://bucket?endpoint=https://s.example.com:7480/',
      {},
      { endpoint: 'https://s.example.com:7480', region: 'us-east-1', credentials: null },
    ],
    [
      's3://bucket?region=a',
      { AWS_ACCESS_KEY_ID: 'key', AWS_SECRET_ACCESS_KEY: 'secret' },
      { credentials: { accessKeyId: 'key', secretAccessKey: 'secret' } },
    ],
    [
      's3://bucket?region=a',
      { AWS_ACCESS_KEY_ID: 'key', AWS_SECRET_ACCESS_KEY: 'secret', AWS_SESSION_TOKEN: 'token' },
      { credentials: { accessKeyId: 'key', secretAccessKey: 'secret', sessionToken: 'token' } },
    ],
  ])('[D15] BLOB_URL=%s is read', (value, others, place) => {
    expect(readConfig({ ...others, BLOB_URL: value }).bucket).toMatchObject(place);
  });

  test('[D15] without BLOB_URL the variables of AWS change nothing', () => {
    expect(readConfig({ AWS_ACCESS_KEY_ID: 'key', AWS_REGION: '?' })).toEqual(readConfig({}));
  });
});

describe('valid values', () => {
  test.each<[name: string, value: string, part: Partial<Config>]>([
    ['HOST', '0.0.0.0', { host: '0.0.0.0' }],
    ['HOST', '::1', { host: '::1' }],
    ['HOST', 'svc.internal', { host: 'svc.internal' }],
    ['PORT', '1', { port: 1 }],
    ['PORT', '65535', { port: 65_535 }],
    ['PORT', ' 8080 ', { port: 8080 }],
    ['APP_BASE_URL', 'https://reports.example.com', { appBaseUrl: 'https://reports.example.com' }],
    ['APP_BASE_URL', 'https://reports.example.com/', { appBaseUrl: 'https://reports.example.com' }],
    ['APP_BASE_URL', 'HTTPS://Reports.Example.com:443', { appBaseUrl: 'https://reports.example.com' }],
    ['API_BASE_URL', 'http://127.0.0.1:9000', { apiBaseUrl: 'http://127.0.0.1:9000' }],
    ['ALLOWED_HOSTS', 'reports.example.org', { allowedHosts: ['reports.example.org'] }],
    ['ALLOWED_HOSTS', 'A.Example, b.example.', { allowedHosts: ['a.example', 'b.example'] }],
    ['ALLOWED_HOSTS', 'bücher.example,[::1]', { allowedHosts: ['xn--bcher-kva.example', '[::1]'] }],
    ['DATA_DIR', '/var/lib/svc', { dataDir: '/var/lib/svc' }],
    [
      'DATABASE_URL',
      'postgres://u:p@h/d',
      { database: { kind: 'postgres', url: 'postgres://u:p@h/d' }, drainMs: 10_000 },
    ],
    [
      'DATABASE_URL',
      'postgresql://h:5433/d',
      { database: { kind: 'postgres', url: 'postgresql://h:5433/d' }, drainMs: 10_000 },
    ],
    ['MAX_REPORT_BYTES', '1048576', { reportBytesMax: 1_048_576 }],
    ['SSE_MAX_STREAM_MS', '1000', { streams: { lifetimeMs: 1000, perUserMax: 50, allMax: 20_000 } }],
    ['SSE_MAX_PER_USER', '7', { streams: { lifetimeMs: 300_000, perUserMax: 7, allMax: 20_000 } }],
    ['SSE_MAX_STREAMS', '9', { streams: { lifetimeMs: 300_000, perUserMax: 50, allMax: 9 } }],
    ['TRUSTED_PROXY_HOPS', '2', { trustedProxyHops: 2 }],
    ['DRAIN_SECONDS', '0', { drainMs: 0 }],
    ['DRAIN_SECONDS', '30', { drainMs: 30_000 }],
    ['SESSION_IDLE_DAYS', '1', { sessionIdleMs: 86_400_000 }],
    ['CONFIRM_AFTER_HOURS', '12', { confirmAfterMs: 43_200_000 }],
    ['CONFIRM_AFTER_HOURS', '0.5', { confirmAfterMs: 1_800_000 }],
    ['PLATFORM_ADMIN_EMAIL', ' Root@Example.COM ', { platformAdminEmail: 'root@example.com' }],
    ['SVC_SETUP_TOKEN', 'x'.repeat(20), { setupToken: 'x'.repeat(20) }],
    ['SECURITY_CONTACT', 'mailto:security@example.com', { securityContact: 'mailto:security@example.com' }],
    [
      'SECURITY_CONTACT',
      'https://example.com/security?lang=en',
      { securityContact: 'https://example.com/security?lang=en' },
    ],
    ['SIGNUP', 'open', { signUp: 'open' }],
    ['SIGNUP', 'invited', { signUp: 'invited' }],
    ['SIGNUP', 'closed', { signUp: 'closed' }],
    ['PLANS_PATH', '/etc/svc/plans.json', { plansPath: '/etc/svc/plans.json' }],
    ['THROTTLES_PATH', 'throttles.json', { throttlesPath: 'throttles.json' }],
    ['UPDATE_MANIFEST_PATH', '/etc/svc/manifest.json', { updateManifestPath: '/etc/svc/manifest.json' }],
    ['MIN_CLIENT_VERSION', '1.2.3', { clientVersions: { min: '1.2.3', revoked: [] } }],
    ['MIN_CLIENT_VERSION', 'v1.2.3-rc.1', { clientVersions: { min: '1.2.3-rc.1', revoked: [] } }],
    ['REVOKED_CLIENT_VERSIONS', '1.2.3', { clientVersions: { min: null, revoked: ['1.2.3'] } }],
    [
      'REVOKED_CLIENT_VERSIONS',
      '1.2.3, v1.2.4',
      { clientVersions: { min: null, revoked: ['1.2.3', '1.2.4'] } },
    ],
    ['LOG_LEVEL', 'debug', { logLevel: 'debug' }],
    ['LOG_LEVEL', 'silent', { logLevel: 'silent' }],
  ])('[D15] %s=%s', (name, value, part) => {
    expect(readConfig({ [name]: value })).toEqual({ ...readConfig({}), ...part });
  });

  test('[D6] SVC_MASTER_KEY is 32 bytes in base64, with or without padding', () => {
    for (const given of [KEY, KEY.slice(0, -1)]) {
      expect(keysOf(given)).toEqual([KEY]);
    }
  });

  test('[D6] SVC_MASTER_KEY may name several keys, the newest first', () => {
    const other = Buffer.alloc(32, 9).toString('base64');
    expect(keysOf(`${other},${KEY}`)).toEqual([other, KEY]);
    expect(keysOf(`${other} , ${KEY.slice(0, -1)}`)).toEqual([other, KEY]);
  });

  const keysOf = (given: string) =>
    readConfig({ SVC_MASTER_KEY: given }).masterKeys.map((key) => Buffer.from(key).toString('base64'));
});

describe('invalid values', () => {
  test.each([
    ['HOST', 'not a host', 'a host name or an address'],
    ['HOST', 'http://localhost', 'a host name or an address'],
    ['PORT', '0', 'a whole number from 1 to 65535'],
    ['PORT', '65536', 'a whole number from 1 to 65535'],
    ['PORT', '80a', 'a whole number from 1 to 65535'],
    ['PORT', '-1', 'a whole number from 1 to 65535'],
    ['PORT', '8e3', 'a whole number from 1 to 65535'],
    ['PORT', '0x50', 'a whole number from 1 to 65535'],
    ['PORT', '80.0', 'a whole number from 1 to 65535'],
    ['APP_BASE_URL', 'reports.example.com', 'an origin such as'],
    ['APP_BASE_URL', 'https://reports.example.com/svc', 'an origin such as'],
    ['APP_BASE_URL', 'https://reports.example.com/?x=1', 'an origin such as'],
    ['APP_BASE_URL', 'https://reports.example.com/#x', 'an origin such as'],
    ['APP_BASE_URL', 'ftp://reports.example.com', 'an origin such as'],
    ['API_BASE_URL', 'https://', 'an origin such as'],
    ['API_BASE_URL', 'javascript:alert(1)', 'an origin such as'],
    ['ALLOWED_HOSTS', 'https://reports.example.com', 'host names such as'],
    ['ALLOWED_HOSTS', 'reports.example.com:8443', 'host names such as'],
    ['ALLOWED_HOSTS', 'reports.example.com:80', 'host names such as'],
    ['ALLOWED_HOSTS', 'reports.example.com/svc', 'host names such as'],
    ['ALLOWED_HOSTS', '*.example.com', 'host names such as'],
    ['ALLOWED_HOSTS', '*', 'host names such as'],
    ['ALLOWED_HOSTS', 'a.example,,b.example', 'host names such as'],
    ['ALLOWED_HOSTS', 'a.example b.example', 'host names such as'],
    ['ALLOWED_HOSTS', 'a.example;b.example', 'host names such as'],
    ['ALLOWED_HOSTS', '[::1', 'host names such as'],
    ['MAX_REPORT_BYTES', '12MiB', 'a whole number from 2 to'],
    ['MAX_REPORT_BYTES', '1', 'a whole number from 2 to'],
    ['SSE_MAX_STREAM_MS', '999', 'a whole number from 1000 to'],
    ['DRAIN_SECONDS', '601', 'a whole number from 0 to 600'],
    ['SSE_MAX_PER_USER', '0', 'a whole number from 1 to'],
    ['SSE_MAX_STREAMS', 'many', 'a whole number from 1 to'],
    ['TRUSTED_PROXY_HOPS', '-1', 'a whole number from 0 to'],
    ['TRUSTED_PROXY_HOPS', 'true', 'a whole number from 0 to'],
    ['SESSION_IDLE_DAYS', '0', 'a whole number from 1 to 365'],
    ['SESSION_IDLE_DAYS', '1.5', 'a whole number from 1 to 365'],
    ['CONFIRM_AFTER_HOURS', '0', 'a number from 0.001 to 8760'],
    ['CONFIRM_AFTER_HOURS', '8761', 'a number from 0.001 to 8760'],
    ['CONFIRM_AFTER_HOURS', '1h', 'a number from 0.001 to 8760'],
    ['SECURITY_CONTACT', 'security@example.com', 'an address such as mailto:'],
    ['SECURITY_CONTACT', 'mailto:', 'an address such as mailto:'],
    ['SECURITY_CONTACT', 'mailto:nobody', 'an address such as mailto:'],
    ['SECURITY_CONTACT', 'http://example.com/security', 'an address such as mailto:'],
    ['SECURITY_CONTACT', 'https://', 'an address such as mailto:'],
    ['SECURITY_CONTACT', 'https://example.com/a b', 'an address such as mailto:'],
    ['SECURITY_CONTACT', 'https://b.test/\nContact: c', 'an address such as mailto:'],
    ['SIGNUP', 'Open', 'one of open, invited, closed'],
    ['SIGNUP', 'yes', 'one of open, invited, closed'],
    ['MIN_CLIENT_VERSION', '1.2', 'a version such as 1.2.3'],
    ['MIN_CLIENT_VERSION', 'latest', 'a version such as 1.2.3'],
    ['REVOKED_CLIENT_VERSIONS', '1.2.3,oops', 'versions such as 1.2.3,1.2.4'],
    ['REVOKED_CLIENT_VERSIONS', '1.2.3;1.2.4', 'versions such as 1.2.3,1.2.4'],
    ['LOG_LEVEL', 'INFO', 'one of trace, debug, info, warn, error, fatal, silent'],
    ['LOG_LEVEL', 'verbose', 'one of trace, debug, info, warn, error, fatal, silent'],
  ])('[D15] %s=%s is reported in one line with its value and what to set instead', (name, value, wanted) => {
    const lines = linesOf({ [name]: value });
    expect(lines).toHaveLength(1);
    expect(lines[0]?.startsWith(`${name}: is ${JSON.stringify(value)}; it must be ${wanted}`)).toBe(true);
    expect(lines[0]).not.toContain('\n');
  });

  test('[D15] the administrator must have an address that sign-up accepts', () => {
    const address = fc.oneof(
      fc.emailAddress(),
      fc.stringMatching(/^[a-zA-Z.,@ -]{1,12}@[a-z.,@-]{1,8}$/),
      fc.nat(12).map((more) => `${'a'.repeat(244 + more)}@b.test`),
    );
    const signsUp = validatorOf(Email);
    fc.assert(
      fc.property(address, (value) => {
        const taken = isTaken({ PLATFORM_ADMIN_EMAIL: value });
        expect(taken).toBe(signsUp.Check(value));
      }),
    );
    const [line = ''] = linesOf({ PLATFORM_ADMIN_EMAIL: `${'a'.repeat(257)}@b.test` });
    expect(line).toMatch(
      /^PLATFORM_ADMIN_EMAIL: is a secret that is not shown; it must be one email address/,
    );
  });

  test.each([
    ['PLATFORM_ADMIN_EMAIL', 'root', 'one email address'],
    ['PLATFORM_ADMIN_EMAIL', 'a@b.test, c@d.test', 'one email address'],
    ['PLATFORM_ADMIN_EMAIL', 'a@b..c', 'one email address'],
    ['PLATFORM_ADMIN_EMAIL', 'a,x@b', 'one email address'],
    ['PLATFORM_ADMIN_EMAIL', 'Root <root@example.com>', 'one email address'],
    ['SVC_SETUP_TOKEN', 'nineteen-characters', 'a secret of 20 to 256 characters'],
    ['SVC_SETUP_TOKEN', 'long'.repeat(65), 'a secret of 20 to 256 characters'],
    ['METRICS_TOKEN', 'short', 'a secret of 20 to 1000 printable characters without spaces'],
    [
      'METRICS_TOKEN',
      'with spaces in its middle',
      'a secret of 20 to 1000 printable characters without spaces',
    ],
  ])('[D24] %s=%s is reported in one line without its value', (name, value, wanted) => {
    const lines = linesOf({ [name]: value });
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(`${name}: is a secret that is not shown; it must be ${wanted}`);
    expect(lines[0]).not.toContain(value);
  });

  test('[D15] several invalid variables are reported in one line each', () => {
    const lines = linesOf({
      PORT: 'x',
      HOST: 'y z',
      LOG_LEVEL: 'w',
      TRUSTED_PROXY_HOPS: '1',
      REDIS_URL: 'redis:/r',
    });
    expect(lines.map((line) => line.slice(0, line.indexOf(':'))).toSorted()).toEqual([
      'HOST',
      'LOG_LEVEL',
      'PORT',
      'REDIS_URL',
    ]);
  });

  test('[D15] a value that is long or has several lines is reported in one short line', () => {
    for (const value of ['a\nb\r\nc', 'x'.repeat(10_000), '\u001b[31mred']) {
      const [line = ''] = linesOf({ APP_BASE_URL: value });
      expect(line.length).toBeLessThan(300);
      // oxlint-disable-next-line no-control-regex
      expect(line).not.toMatch(/[\u0000-\u001f]/);
    }
  });
});

describe('secrets in invalid values', () => {
  const SECRET = 'hunter2';

  test.each([
    ['SVC_MASTER_KEY', SECRET],
    ['SVC_MASTER_KEY', `${KEY}${SECRET}`],
    ['SVC_MASTER_KEY', randomBytes(31).toString('base64')],
    ['BILLING_WEBHOOK_SECRET', `${SECRET} ${SECRET}`],
    ['BILLING_WEBHOOK_SECRET', `whsec_${SECRET},`],
    ['BILLING_WEBHOOK_SECRET', `sk_live_${SECRET}`],
    ['BILLING_WEBHOOK_SECRET', `whsec_${SECRET},we_${SECRET}`],
    ['METRICS_TOKEN', SECRET],
  ])('[D15] %s is never shown', (name, value) => {
    const [line = ''] = linesOf({ [name]: value });
    expect(line).toContain(`${name}: is a secret that is not shown`);
    expect(line).not.toContain(value.slice(0, 12));
  });

  test.each([
    ['APP_BASE_URL', `https://user:${SECRET}@host`],
    ['API_BASE_URL', `https://host?token=${SECRET}`],
  ])('[D15] %s=%s is shown without its secret', (name, value) => {
    const [line = ''] = linesOf({ [name]: value });
    expect(line.startsWith(`${name}: is "`)).toBe(true);
    expect(line).not.toContain(SECRET);
  });

  const addresses = ['DATABASE_URL', 'REDIS_URL', 'BLOB_URL'];

  test.each([
    ['an address that begins with mysql:', `mysql://user:${SECRET}@host/name`],
    ['an address that begins with postgres:', `postgres://user:${SECRET}@host:port/name`],
    ['an address that begins with s3:', `S3:${SECRET}`],
    ['a value that is not shown', `user:${SECRET}@host/name`],
    ['a value that is not shown', `host=h user=u password=${SECRET}`],
    ['a value that is not shown', SECRET],
  ])('[D15] the line says "is %s" and shows nothing else of an address: %s', (shown, value) => {
    for (const name of addresses) {
      const [line = ''] = linesOf({ [name]: value });
      expect(line).toMatch(new RegExp(`^${name}: is ${shown}(?:, of which no more is shown)?; `));
      expect(line).not.toContain(SECRET);
    }
  });

  test('[D15] redis://hunter2@host and s3://key:hunter2@bucket are not shown either', () => {
    for (const [name, value] of [
      ['REDIS_URL', `redis://${SECRET}@host`],
      ['REDIS_URL', `redis://:${SECRET}@host:port`],
      ['REDIS_URL', `redis://:${SECRET}@host/name`],
      ['REDIS_URL', `redis://:%${SECRET}@host`],
      ['REDIS_URL', `redis://host?password=${SECRET}`],
      ['BLOB_URL', `s3://key:${SECRET}@bucket`],
      ['BLOB_URL', `s3://bucket/prefix?endpoint=e&secretAccessKey=${SECRET}`],
    ] as const)
      expect(linesOf({ [name]: value }).join('\n')).not.toContain(SECRET);
  });
});
