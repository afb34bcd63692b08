/**
 * The configuration: a pure function of the environment variables.
 *
 * Each invalid variable is reported in one line with its name, its value and what to set instead. Secret values are not
 * shown.
 */
import { isEmail, limits, normalizeEmail } from '@svc/contract';
import semver from 'semver';
import { StartError } from './start-error.ts';
import { parseRedisAddress, type RedisAddress } from './platform/counters/redis-address.ts';
import {
  completeS3Place,
  parseS3Address,
  s3AddressWanted,
  type S3Address,
  type S3Place,
} from './platform/blobs/s3-place.ts';
import { parseHostNames } from './platform/host-names.ts';
import { logLevels, type LogLevel } from './platform/log.ts';
import { MASTER_KEY_BYTES, parseMasterKey } from './platform/master-key-file.ts';
import { rejectedAddressInWords } from './platform/shown-address.ts';
import {
  collectorWanted,
  completeTracing,
  parseCollector,
  type TracingSettings,
} from './platform/tracing/tracing-settings.ts';
import { DAY_MS, HOUR_MS } from '#platform/clock';

export interface Config {
  readonly host: string;
  readonly port: number;
  /** Origin of the pages; null means http://localhost with the port. */
  readonly appBaseUrl: string | null;
  /** Origin of the API; null means the same as the pages. */
  readonly apiBaseUrl: string | null;
  /** Further host names that are answered, in lower case. */
  readonly allowedHosts: readonly string[];
  readonly dataDir: string;
  readonly database: { readonly kind: 'sqlite' } | { readonly kind: 'postgres'; readonly url: string };
  /** Null means that rate limits are counted in the memory of the process, or in PostgreSQL if that is the database. */
  readonly redis: RedisAddress | null;
  /** Null means files in the data folder. */
  readonly bucket: S3Place | null;
  readonly reportBytesMax: number;
  readonly streams: { readonly lifetimeMs: number; readonly perUserMax: number; readonly allMax: number };
  /**
   * The newest first; several while the key is being replaced. Empty means that the key is in a file of the data
   * folder.
   */
  readonly masterKeys: readonly Uint8Array[];
  readonly trustedProxyHops: number;
  /** How long a stopping service reports that it is not ready but still answers, so that load balancers can notice. */
  readonly drainMs: number;
  /** A session ends when it has not been used for this long. */
  readonly sessionIdleMs: number;
  /**
   * How long after entering the password a person can share and link devices without entering it again; null means as
   * long as the session lasts.
   */
  readonly confirmAfterMs: number | null;
  /** This address is never shown or published: it decides who becomes the administrator. */
  readonly platformAdminEmail: string | null;
  /** Replaces the setup token that the service would create. */
  readonly setupToken: string | null;
  /** The contact in `/.well-known/security.txt`; null means that the file does not exist. */
  readonly securityContact: string | null;
  readonly signUp: SignUpMode;
  readonly plansPath: string | null;
  readonly throttlesPath: string | null;
  /** The signed release of the CLI; null means that no release is served. */
  readonly updateManifestPath: string | null;
  readonly clientVersions: { readonly min: string | null; readonly revoked: readonly string[] };
  /** These secrets verify the signatures of the payment provider. Empty turns billing off; several allow a rotation. */
  readonly billingWebhookSecrets: readonly string[];
  /** Null: no metrics. */
  readonly metricsToken: string | null;
  /** Null: no traces. */
  readonly tracing: TracingSettings | null;
  readonly logLevel: LogLevel;
}

/** Who may sign up: anyone, holders of an invitation, or nobody. The administrator always can, with the setup token. */
export type SignUpMode = (typeof signUpModes)[number];
const signUpModes = ['open', 'invited', 'closed'] as const;

/** A shorter token could be guessed. */
const SETUP_TOKEN_LENGTH_MIN = 20;

/** The upper limit lets the token fit into a header. */
const METRICS_TOKEN_LENGTH_MIN = 20;
const METRICS_TOKEN_LENGTH_MAX = 1000;

export type Environment = Readonly<Record<string, string | undefined>>;

/** With PostgreSQL other replicas can take over, and a load balancer needs a few checks to notice the stop. */
const DRAIN_SECONDS = { alone: 1, withOthers: 10 };
const DRAIN_SECONDS_MAX = 600;

const CONFIRM_HOURS_MIN = 0.001;
const CONFIRM_HOURS_MAX = 8760;

/** Variables whose values are never shown. */
const SECRETS = new Set([
  'SVC_MASTER_KEY',
  'SVC_SETUP_TOKEN',
  'PLATFORM_ADMIN_EMAIL',
  'BILLING_WEBHOOK_SECRET',
  'METRICS_TOKEN',
]);

/** Variables whose values can contain a password, sometimes at an unexpected position. */
const ADDRESSES = new Set([
  'DATABASE_URL',
  'REDIS_URL',
  'BLOB_URL',
  'OTEL_EXPORTER_OTLP_ENDPOINT',
  'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT',
]);

/** @throws StartError with one line for each invalid variable. */
export function readConfig(environment: Environment): Config {
  const problems: string[] = [];

  /** Reads one variable; an empty value counts as unset. */
  function read<T>(name: string, fallback: T, wanted: string, parse: (value: string) => T | undefined): T {
    const value = environment[name]?.trim();
    if (value === undefined || value === '') return fallback;
    const parsed = parse(value);
    if (parsed !== undefined) return parsed;
    problems.push(`${name}: is ${shown(name, value)}; it must be ${wanted}.`);
    return fallback;
  }

  const wholeNumber = (name: string, fallback: number, min: number, max: number) =>
    read(name, fallback, `a whole number from ${min} to ${max}`, (value) => {
      const number = /^\d{1,15}$/.test(value) ? Number(value) : Number.NaN;
      return number >= min && number <= max ? number : undefined;
    });
  const text = (name: string) => read<string | null>(name, null, '', (value) => value);
  const origin = (name: string) =>
    read<string | null>(
      name,
      null,
      'an origin such as https://reports.example.com, without a path',
      parseOrigin,
    );

  function readBucket(): S3Place | null {
    const address = read<S3Address | null>('BLOB_URL', null, s3AddressWanted, parseS3Address);
    if (address === null) return null;
    const completed = completeS3Place(address, environment);
    if ('place' in completed) return completed.place;
    problems.push(...completed.problems);
    return null;
  }

  function readTracing(): TracingSettings | null {
    const collector = (name: string) => read<string | null>(name, null, collectorWanted, parseCollector);
    const completed = completeTracing(
      {
        base: collector('OTEL_EXPORTER_OTLP_ENDPOINT'),
        traces: collector('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'),
      },
      environment,
    );
    if ('settings' in completed) return completed.settings;
    problems.push(...completed.problems);
    return null;
  }

  const database = read<Config['database']>(
    'DATABASE_URL',
    { kind: 'sqlite' },
    'a PostgreSQL address such as postgres://user:password@host:5432/database, or unset for a file in DATA_DIR',
    (value) =>
      /^postgres(?:ql)?:\/\/./.test(value) && URL.canParse(value)
        ? { kind: 'postgres', url: value }
        : undefined,
  );
  const drainSeconds = database.kind === 'sqlite' ? DRAIN_SECONDS.alone : DRAIN_SECONDS.withOthers;

  const config: Config = {
    host: read('HOST', '127.0.0.1', 'a host name or an address', (value) =>
      /^[\w.:-]+$/.test(value) ? value : undefined,
    ),
    port: wholeNumber('PORT', 8787, 1, 65_535),
    appBaseUrl: origin('APP_BASE_URL'),
    apiBaseUrl: origin('API_BASE_URL'),
    allowedHosts: read<readonly string[]>(
      'ALLOWED_HOSTS',
      [],
      'host names such as reports.example.com,reports.example.org, without scheme, port, path or wildcard',
      parseHostNames,
    ),
    dataDir: read('DATA_DIR', './data', 'a path', (value) => value),
    database,
    redis: read<RedisAddress | null>(
      'REDIS_URL',
      null,
      'a Redis address such as redis://user:password@host:6379/0, or rediss:// for TLS, with the password percent-encoded',
      parseRedisAddress,
    ),
    bucket: readBucket(),
    reportBytesMax: wholeNumber('MAX_REPORT_BYTES', limits.reportBytesMaxDefault, 2, 1024 ** 3),
    streams: {
      lifetimeMs: wholeNumber('SSE_MAX_STREAM_MS', 300_000, 1000, DAY_MS),
      perUserMax: wholeNumber('SSE_MAX_PER_USER', 50, 1, 1_000_000),
      allMax: wholeNumber('SSE_MAX_STREAMS', 20_000, 1, 1_000_000),
    },
    masterKeys: read<readonly Uint8Array[]>(
      'SVC_MASTER_KEY',
      [],
      `${MASTER_KEY_BYTES} bytes in base64, or several such keys separated by commas, the newest first`,
      parseKeys,
    ),
    trustedProxyHops: wholeNumber('TRUSTED_PROXY_HOPS', 0, 0, 16),
    drainMs: wholeNumber('DRAIN_SECONDS', drainSeconds, 0, DRAIN_SECONDS_MAX) * 1000,
    sessionIdleMs: wholeNumber('SESSION_IDLE_DAYS', 30, 1, 365) * DAY_MS,
    confirmAfterMs: read<number | null>(
      'CONFIRM_AFTER_HOURS',
      null,
      `a number from ${CONFIRM_HOURS_MIN} to ${CONFIRM_HOURS_MAX}, or unset to never ask`,
      parseConfirmHours,
    ),
    platformAdminEmail: read<string | null>(
      'PLATFORM_ADMIN_EMAIL',
      null,
      `one email address of at most ${limits.emailLengthMax} characters, such as admin@example.com`,
      (value) => (isEmail(value) ? normalizeEmail(value) : undefined),
    ),
    setupToken: read<string | null>(
      'SVC_SETUP_TOKEN',
      null,
      `a secret of ${SETUP_TOKEN_LENGTH_MIN} to ${limits.setupTokenLengthMax} characters`,
      (value) =>
        value.length >= SETUP_TOKEN_LENGTH_MIN && value.length <= limits.setupTokenLengthMax
          ? value
          : undefined,
    ),
    securityContact: read<string | null>(
      'SECURITY_CONTACT',
      null,
      'an address such as mailto:security@example.com or https://example.com/security',
      parseContact,
    ),
    signUp: read<SignUpMode>('SIGNUP', 'open', `one of ${signUpModes.join(', ')}`, (value) =>
      signUpModes.find((mode) => mode === value),
    ),
    plansPath: text('PLANS_PATH'),
    throttlesPath: text('THROTTLES_PATH'),
    updateManifestPath: text('UPDATE_MANIFEST_PATH'),
    clientVersions: {
      min: read<string | null>(
        'MIN_CLIENT_VERSION',
        null,
        'a version such as 1.2.3',
        (value) => semver.valid(value) ?? undefined,
      ),
      revoked: read<readonly string[]>(
        'REVOKED_CLIENT_VERSIONS',
        [],
        'versions such as 1.2.3,1.2.4',
        parseVersions,
      ),
    },
    billingWebhookSecrets: read<readonly string[]>(
      'BILLING_WEBHOOK_SECRET',
      [],
      'the signing secret of a Stripe webhook endpoint (whsec_…, not an API key), or several separated by commas, without spaces',
      parseSecrets,
    ),
    metricsToken: read<string | null>(
      'METRICS_TOKEN',
      null,
      `a secret of ${METRICS_TOKEN_LENGTH_MIN} to ${METRICS_TOKEN_LENGTH_MAX} printable characters without spaces`,
      (value) =>
        /^[!-~]+$/.test(value) &&
        value.length >= METRICS_TOKEN_LENGTH_MIN &&
        value.length <= METRICS_TOKEN_LENGTH_MAX
          ? value
          : undefined,
    ),
    tracing: readTracing(),
    logLevel: read<LogLevel>('LOG_LEVEL', 'info', `one of ${logLevels.join(', ')}`, (value) =>
      logLevels.find((level) => level === value),
    ),
  };
  if (problems.length > 0) throw new StartError(problems);
  return config;
}

function shown(name: string, value: string): string {
  if (SECRETS.has(name)) return 'a secret that is not shown';
  if (ADDRESSES.has(name)) return rejectedAddressInWords(value);
  const masked = withoutSecretParameters(value.replace(LOGIN, '$1:***@'));
  return JSON.stringify(masked.length > 100 ? `${masked.slice(0, 100)}…` : masked);
}

/**
 * A user and a password before a host. A password can contain any character, so everything up to the last @ may be part
 * of it.
 */
const LOGIN = /^((?:[a-z][a-z0-9+.-]*:\/\/)?[^:@/\s]*):.*@/is;

const SECRET_PARAMETER = /pass|pwd|secret|token|key|credential|signature/i;

/** Removes secrets from addresses and `name=value` lists. */
function withoutSecretParameters(value: string): string {
  return value
    .split(/([?&;\s])/)
    .map((part) => {
      const [name = ''] = part.split('=', 1);
      return name.length < part.length && SECRET_PARAMETER.test(name) ? `${name}=***` : part;
    })
    .join('');
}

function parseOrigin(value: string): string | undefined {
  if (!URL.canParse(value)) return undefined;
  const url = new URL(value);
  const bare =
    url.pathname === '/' &&
    url.search === '' &&
    url.hash === '' &&
    url.username === '' &&
    url.password === '';
  return bare && (url.protocol === 'http:' || url.protocol === 'https:') ? url.origin : undefined;
}

/** Becomes one line of `security.txt`, so characters that could end the line or the address are rejected. */
function parseContact(value: string): string | undefined {
  if (!/^[!-~]{1,1000}$/.test(value) || !URL.canParse(value)) return undefined;
  const { protocol, hostname, username, password, pathname } = new URL(value);
  if (protocol === 'mailto:') return isEmail(pathname) ? value : undefined;
  return protocol === 'https:' && hostname !== '' && username === '' && password === '' ? value : undefined;
}

function parseKeys(value: string): readonly Uint8Array[] | undefined {
  const keys = value.split(',').map((key) => parseMasterKey(key.trim()));
  return keys.every((key) => key !== undefined) ? keys : undefined;
}

function parseConfirmHours(value: string): number | undefined {
  const hours = /^\d{1,4}(?:\.\d{1,4})?$/.test(value) ? Number(value) : Number.NaN;
  return hours >= CONFIRM_HOURS_MIN && hours <= CONFIRM_HOURS_MAX ? Math.round(hours * HOUR_MS) : undefined;
}

function parseSecrets(value: string): string[] | undefined {
  const secrets = value.split(',').map((secret) => secret.trim());
  return secrets.every((secret) => /^[!-~]+$/.test(secret) && !OTHER_KEYS.test(secret)) ? secrets : undefined;
}

/** Other values on Stripe's pages: API keys and the id of the endpoint. Stripe signs no event with these. */
const OTHER_KEYS = /^(?:[spr]k_|we_)/;

function parseVersions(value: string): string[] | undefined {
  const versions = value.split(',').map((version) => semver.valid(version.trim()));
  return versions.every((version) => version !== null) ? versions : undefined;
}
