/**
 * Invented secrets of the library's formats and of some others, created when the tests run so that no scanner finds
 * them in the sources. They are the same in every run.
 */
import { crc32 } from 'node:zlib';

export interface SecretSample {
  readonly name: string;
  /** The kind that the search reports. */
  readonly kind: string;
  /** The part that redaction must remove. */
  readonly secret: string;
  /** The shortest text in which the secret is recognizable; in most samples the secret itself. */
  readonly text: string;
  /** The search finds it, but the library does not. */
  readonly onlyOurs?: true;
  /** The library finds some formats only in files of this name. */
  readonly fileName?: string;
}

const DIGITS = '0123456789';
const HEX = '0123456789abcdef';
const CAPITALS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const LETTERS = `${CAPITALS}abcdefghijklmnopqrstuvwxyz`;
const BASE62 = `${DIGITS}${LETTERS}`;
const BASE64 = `${LETTERS}${DIGITS}+/`;

/** Pseudorandom characters, the same in every run. */
export function characters(alphabet: string, length: number, seed = 1): string {
  let state = seed * 7919 + length;
  let text = '';
  while (text.length < length) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    text += alphabet.charAt((state >>> 16) % alphabet.length);
  }
  return text;
}

const base62 = (length: number, seed?: number) => characters(BASE62, length, seed);

export function deviceToken(seed = 1): string {
  const secret = base62(40, seed);
  let checksum = '';
  for (let rest = crc32(secret); checksum.length < 6; rest = Math.floor(rest / 62))
    checksum = BASE62.charAt(rest % 62) + checksum;
  return `svc_dev_${secret}${checksum}`;
}

export function privateKey(label: string, beginning = 'MI', lineEnd = '\n'): string {
  const body = beginning + characters(BASE64, 640 - beginning.length);
  const lines = body.match(/.{1,64}/g) ?? [];
  return [`-----BEGIN ${label}-----`, ...lines, `-----END ${label}-----`].join(lineEnd);
}

const openSsh = ['b3BlbnNza', 'C1rZXktdjEAAAAA'].join('');

function prefixed(kind: string, prefixes: readonly string[], body: string, end = ''): SecretSample[] {
  return prefixes.map((prefix) => {
    const secret = `${prefix}${body}${end}`;
    return { name: `${kind} ${prefix}`, kind, secret, text: secret };
  });
}

function within(kind: string, name: string, secret: string, text: (secret: string) => string): SecretSample {
  return { name: `${kind} ${name}`, kind, secret, text: text(secret) };
}

const roles = ['AKIA', 'AGPA', 'AIDA', 'AROA', 'AIPA', 'ANPA', 'ANVA', 'ASIA', 'A3TX'];
const awsKey = `${characters(BASE64, 39)}x`;
const password = base62(16);
const openAiMark = ['T3Blb', 'kFJ'].join('');
/** JSON of a length for which base64 encodes the last brace separately, as in real tokens. */
const serviceAccount = btoa(JSON.stringify({ email: 'x@example.com', secretKey: base62(81), iterations: 1 }));

/** A key with a passphrase, as in a diff that adds it. */
const addedKey = privateKey('RSA PRIVATE KEY', 'Ab').replace(
  '\n',
  `\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-256-CBC,${characters(HEX, 32).toUpperCase()}\n\n`,
);
const base64Url = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
const signedToken = [
  base64Url({ alg: 'HS256', typ: 'JWT' }),
  base64Url({ sub: 'someone', admin: true }),
  base62(43),
].join('.');

/** Formats that the library does not know. */
const onlyOurs: readonly SecretSample[] = [
  within(
    'private-key',
    'encrypted, in a diff',
    addedKey.replaceAll('\n', '\n+'),
    (secret) => `@@ -0,0 +1,15 @@\n+${secret}\n`,
  ),
  within('json-web-token', 'signed', signedToken, (secret) => secret),
  ...prefixed('google-api-key', ['AIza'], base62(35)),
  within(
    'azure-key',
    'connection string',
    `${characters(BASE64, 85)}A==`,
    (secret) => `DefaultEndpointsProtocol=https;AccountName=shop;AccountKey=${secret}`,
  ),
  ...prefixed('gitlab-token', ['glrt-', 'glptt-'], characters(HEX, 40)),
  within('gitlab-token', 'routable', `glpat-${base62(27)}.${characters(DIGITS, 9)}`, (secret) => secret),
  within(
    'gitlab-token',
    'routable with a version',
    `glpat-${base62(27)}.01.${characters(DIGITS, 9)}`,
    (secret) => secret,
  ),
  within(
    'url-password',
    'unusual scheme',
    `deploy:${password}`,
    (secret) => `amqps://${secret}@queue.internal/jobs`,
  ),
].map((sample) => ({ ...sample, onlyOurs: true }));

export const secretSamples: readonly SecretSample[] = [
  { ...prefixed('svc-device-token', [deviceToken()], '')[0]!, name: 'svc-device-token', onlyOurs: true },
  ...prefixed('aws-access-key-id', roles, characters(CAPITALS + DIGITS, 16)),
  ...['AWS_SECRET_ACCESS_KEY=', 'aws_secret_access_key = ', 'SecretAccessKey: "', '"secretAccessKey"=>"'].map(
    (lead) => within('aws-secret-access-key', lead, awsKey, (secret) => lead + secret),
  ),
  ...['AWS_ACCOUNT_ID=', 'account_id: ', 'Account => "'].map((lead) =>
    within('aws-account-id', lead, '1234-5678-9012', (secret) => lead + secret),
  ),
  ...['PRIVATE KEY', 'RSA PRIVATE KEY', 'DSA PRIVATE KEY', 'EC PRIVATE KEY', 'PGP PRIVATE KEY BLOCK'].map(
    (label) => within('private-key', label, privateKey(label), (secret) => secret),
  ),
  within('private-key', 'OpenSSH', privateKey('OPENSSH PRIVATE KEY', openSsh), (secret) => secret),
  within('private-key', 'in JSON', privateKey('PRIVATE KEY', 'MI', '\\n'), (secret) => secret),
  {
    ...within('private-key', 'cut off', privateKey('PRIVATE KEY').slice(0, 400), (secret) => secret),
    onlyOurs: true,
  },
  {
    ...within(
      'gcp-service-account-key',
      'JSON',
      '-----BEGIN PRIVATE KEY-----\\nshort',
      (secret) => `{"type": "service_account", "private_key_id": "1", "private_key": "${secret}"}`,
    ),
    fileName: 'key.json',
  },
  ...prefixed('npm-token', ['npm_'], base62(36)),
  {
    ...within('npm-auth-token', '.npmrc', base62(36), (secret) => `//registry.example/:_authToken=${secret}`),
    fileName: '.npmrc',
  },
  ...['http', 'https', 'ftp', 'ftps'].map((scheme) =>
    within('basic-auth', scheme, `deploy:${password}`, (secret) => `${scheme}://${secret}@git.example.net/x`),
  ),
  within(
    'basic-auth',
    'x-oauth-basic',
    `${base62(40)}:x-oauth-basic`,
    (secret) => `https://${secret}@github.com/`,
  ),
  ...['mongodb', 'mongodb+srv', 'mysql', 'jdbc:mysql', 'mysqlx', 'postgres', 'postgresql'].map((scheme) =>
    within(
      'database-credentials',
      scheme,
      `app:${password}`,
      (secret) => `${scheme}://${secret}@db.internal/app`,
    ),
  ),
  ...prefixed(
    'slack-token',
    ['xoxb-', 'xoxp-', 'xapp-', 'xapp-1-', 'xoxa-2-', 'xoxo-', 'xoxr-'],
    `${characters(DIGITS, 12)}-${base62(24)}`,
  ),
  within(
    'slack-webhook',
    'incoming',
    `T${characters(CAPITALS, 8)}/B${characters(CAPITALS, 8)}/${base62(24)}`,
    (secret) => ['https://hooks.slack', `.com/services/${secret}`].join(''),
  ),
  ...prefixed('sendgrid-key', ['SG.'], `${base62(22)}.${base62(43)}`),
  ...prefixed('shopify-key', ['shppa_', 'shpca_', 'shpat_', 'shpss_'], characters(HEX, 32)),
  ...prefixed('stripe-key', ['sk_live_', 'sk_test_', 'rk_live_', 'rk_test_'], base62(24)),
  ...prefixed('github-token', ['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_'], base62(36)),
  ...prefixed('github-token', ['github_pat_'], `${base62(22)}_${base62(59)}`),
  ...prefixed('github-token', ['ghs_123456_'], `${base62(36)}.${base62(300)}.${base62(86)}`),
  ...prefixed('gitlab-token', ['glpat-'], base62(20)),
  ...prefixed('grafana-token', ['glc_eyJ'], base62(80), '=='),
  ...prefixed('grafana-token', ['glsa_'], `${base62(32)}_${characters(HEX, 8)}`),
  ...prefixed(
    'openai-key',
    ['sk-proj-', 'sk-svcacct-', 'sk-admin-'],
    `${base62(74)}${openAiMark}${base62(74)}`,
  ),
  ...prefixed('openai-key', ['sk-'], base62(20), `${openAiMark}${base62(20)}`),
  within('openai-key', 'shorter', `sk-proj-${base62(58)}${openAiMark}${base62(58)}`, (secret) => secret),
  ...prefixed('anthropic-key', ['sk-ant-api03-', 'sk-ant-api04-'], base62(93), 'AA'),
  ...prefixed('groq-key', ['gsk_'], base62(52)),
  ...prefixed('huggingface-token', ['hf_'], characters(LETTERS, 34)),
  ...prefixed('linear-key', ['lin_api_'], base62(40)),
  ...prefixed('notion-token', ['ntn_'], characters(DIGITS, 11), base62(35)),
  ...prefixed('1password-token', ['ops_'], serviceAccount),
  ...prefixed('vault-token', ['hvs.', 'hvr.'], base62(95)),
  ...prefixed('vault-token', ['hvb.'], base62(160)),
  ...prefixed('vercel-token', ['vcp_', 'vci_', 'vca_', 'vcr_', 'vck_'], base62(24)),
  ...prefixed('databricks-token', ['dapi'], characters(HEX, 32)),
  within('databricks-token', 'with a number', `dapi${characters(HEX, 32, 2)}-2`, (secret) => secret),
  ...prefixed('docker-token', ['dckr_pat_'], base62(27)),
  ...prefixed('figma-token', ['figd_'], base62(40)),
  ...prefixed('cloudflare-token', ['cfk_', 'cfut_', 'cfat_'], base62(40), characters(HEX, 8)),
  ...prefixed(
    'tailscale-key',
    ['api', 'auth', 'client', 'scim', 'webhook'].map((type) => `tskey-${type}-`),
    `${base62(12)}-${base62(32)}`,
  ),
  ...onlyOurs,
];
