/**
 * The published formats of secrets: those of secretlint's recommended preset with its AWS id rule on, the formats
 * with a prefix or a checksum that gitleaks knows, and the service's own device token. Randomness is no criterion,
 * so hashes, commits and integrity strings are not secrets.
 *
 * The formats are defined here rather than by a library. secretlint takes minutes for texts made to slow it down,
 * skips a secret when a comment in the text asks it to, and for some formats reports a range that omits a part of
 * the secret. gitleaks is a separate program, and no test runs it. Tests compare the results with secretlint's.
 */
import { DEVICE_TOKEN_BODY_LENGTH, DEVICE_TOKEN_PREFIX, isDeviceTokenBody } from './device-token.ts';
import { jsonWebTokenFormats } from './json-web-tokens.ts';
import { privateKeyFormats } from './private-keys.ts';
import { characterSet, type ScannedText } from './scanned-text.ts';
import { addressFormats } from './secret-addresses.ts';
import { contextFormats } from './secret-contexts.ts';
import { exactly, expression, token, type SecretFormat, type SecretSpan } from './secret-format.ts';
import { structuredFormats } from './secret-structures.ts';
import { tokenFormats } from './secret-tokens.ts';

const LETTERS = characterSet('A-Za-z');
const ANY_HEX = characterSet('A-Fa-f0-9');
const CAPITALS = characterSet('A-Z0-9');
const ALPHANUMERIC = characterSet('A-Za-z0-9');
const WORD = characterSet('A-Za-z0-9_');
const PADDED_BASE64 = characterSet('A-Za-z0-9+/=');
const BASE64URL = characterSet('A-Za-z0-9_-');
const HYPHENATED = characterSet('A-Za-z0-9-');
const AUTH_VALUE = characterSet('A-Za-z0-9+/=_.~-');
/** Shorter values are ordinary words in a manual. */
const AUTH_VALUE_LENGTH_MIN = 8;

const LETTER = /\p{L}/u;
const WORD_CHARACTER = /\w/;
const NOTHING = /(?!)/;

/** False for the example keys in AWS's documentation, which end with this word. */
const isNoAwsExample = (body: string) => !/EXAMPLE(?:KEY)?$/.test(body);

const awsKeyIdRoles = ['AKIA', 'AGPA', 'AIDA', 'AROA', 'AIPA', 'ANPA', 'ANVA', 'ASIA', 'ABIA', 'ACCA'];

/** A key id counts only as a whole word. */
function awsKeyId(prefixes: readonly string[], bodyLength: number): SecretFormat {
  return token('aws-access-key-id', prefixes, CAPITALS, exactly(bodyLength), {
    accepts: isNoAwsExample,
    notAfter: WORD_CHARACTER,
    notBefore: WORD_CHARACTER,
  });
}

const OPENAI_MARK = 'T3BlbkFJ';
const OPENAI_KEY =
  /sk-(?:(?:proj|svcacct|admin)-(?:[\w-]{74}|[\w-]{58})T3BlbkFJ(?:[\w-]{74}|[\w-]{58})\b|[a-zA-Z0-9]{20}T3BlbkFJ[a-zA-Z0-9]{20})/y;
const openAiLeads = ['sk-proj-', 'sk-svcacct-', 'sk-admin-'].flatMap((prefix) =>
  [74, 58].map((length) => [prefix, prefix.length + length] as const),
);

/** All keys have the same text in the middle, which is rarer than their beginning. */
function locateOpenAiKey({ text }: ScannedText, at: number): SecretSpan | undefined {
  for (const [prefix, lead] of [...openAiLeads, ['sk-', 23] as const]) {
    if (at < lead || !text.startsWith(prefix, at - lead)) continue;
    OPENAI_KEY.lastIndex = at - lead;
    const match = OPENAI_KEY.exec(text);
    if (match !== null) return { start: at - lead, end: OPENAI_KEY.lastIndex };
  }
  return undefined;
}

const SLACK_BEGINNING = /x(?:ox[abeoprs]|app)-[a-zA-Z0-9]{1,40}-[a-zA-Z0-9]{1,40}(?!\w)/y;

/** A Slack token has at least two parts after its prefix. Everything that is joined to it by hyphens belongs to it. */
function locateSlackToken(scanned: ScannedText, at: number): SecretSpan | undefined {
  if (WORD_CHARACTER.test(scanned.characterBefore(at))) return undefined;
  SLACK_BEGINNING.lastIndex = at;
  if (!SLACK_BEGINNING.test(scanned.text)) return undefined;
  return { start: at, end: scanned.runEnd(HYPHENATED, at) };
}

const INSTALLATION = /ghs_[0-9]{1,20}_/y;

/** An installation token: the app's number and a JSON Web Token. */
function locateInstallationToken(scanned: ScannedText, at: number): SecretSpan | undefined {
  if (LETTER.test(scanned.characterBefore(at))) return undefined;
  INSTALLATION.lastIndex = at;
  if (!INSTALLATION.test(scanned.text)) return undefined;
  let start = INSTALLATION.lastIndex;
  for (const [index, max] of [1000, 10_000, 1000].entries()) {
    const end = scanned.runEnd(BASE64URL, start);
    if (end === start || end - start > max) return undefined;
    if (index === 2) return { start: at, end };
    if (scanned.text.charAt(end) !== '.') return undefined;
    start = end + 1;
  }
  return undefined;
}

/** Distinguishes a service account token, which is JSON in base64, from text that begins like one. */
function isJsonInBase64(body: string): boolean {
  try {
    const value: unknown = JSON.parse(atob(body));
    return typeof value === 'object' && value !== null;
  } catch {
    return false;
  }
}

const GCP_KEY = /("private_key"\s*:\s*")-----BEGIN\s?(?:[A-Z]{2,7}\s)?PRIVATE KEY[^"]*/y;

export const secretFormats: readonly SecretFormat[] = [
  {
    kind: 'svc-device-token',
    anchors: [DEVICE_TOKEN_PREFIX],
    locate({ text }, at, prefix) {
      const start = at + prefix.length;
      const end = start + DEVICE_TOKEN_BODY_LENGTH;
      return isDeviceTokenBody(text.slice(start, end)) ? { start: at, end } : undefined;
    },
  },
  awsKeyId(awsKeyIdRoles, 16),
  awsKeyId(['A3T'], 17),
  expression(
    'aws-secret-access-key',
    ['SECRET', 'Secret', 'secret'],
    /(?:SECRET|[Ss]ecret)_?(?:ACCESS|[Aa]ccess)_?(?:KEY|[Kk]ey)["']?\s*(?:=>|[:=])\s*["']?([A-Za-z0-9/+=]{40})(?:\b|(?<=[/+=]))/y,
    { accepts: isNoAwsExample, notAfter: NOTHING },
  ),
  expression(
    'aws-account-id',
    ['ACCOUNT', 'Account', 'account'],
    /(?:ACCOUNT|[Aa]ccount)_?(?:ID|[Ii]d)?["']?\s*(?:=>|[:=])\s*["']?([0-9]{4}-?[0-9]{4}-?[0-9]{4})\b/y,
    { notAfter: NOTHING },
  ),
  ...privateKeyFormats,
  ...jsonWebTokenFormats,
  {
    kind: 'gcp-service-account-key',
    anchors: ['"private_key"'],
    locate(scanned, at) {
      GCP_KEY.lastIndex = at;
      const match = GCP_KEY.exec(scanned.text);
      if (match === null || !scanned.mentions('"private_key_id"')) return undefined;
      return { start: at + (match[1] ?? '').length, end: GCP_KEY.lastIndex };
    },
  },
  ...addressFormats,
  token('npm-token', ['npm_'], WORD, exactly(36)),
  {
    kind: 'npm-auth-token',
    anchors: ['_authToken='],
    locate(scanned, at, anchor) {
      const start = at + anchor.length + (/["']/.test(scanned.text.charAt(at + anchor.length)) ? 1 : 0);
      const end = scanned.runEnd(AUTH_VALUE, start);
      return end - start >= AUTH_VALUE_LENGTH_MIN ? { start, end } : undefined;
    },
  },
  {
    kind: 'slack-token',
    anchors: ['xoxb-', 'xoxp-', 'xapp-', 'xoxa-', 'xoxo-', 'xoxr-', 'xoxe-', 'xoxs-'],
    locate: locateSlackToken,
  },
  expression('sendgrid-key', ['SG.'], /SG\.[\w.-]{66}(?!\w)/y, {
    accepts: (secret) => /^SG\.[\w-]+\.[\w-]+$/.test(secret),
  }),
  token('shopify-key', ['shppa_', 'shpca_', 'shpat_', 'shpss_'], ALPHANUMERIC, [32, 64]),
  token('stripe-key', ['sk_live_', 'sk_test_', 'rk_live_', 'rk_test_'], ALPHANUMERIC, [24, 99]),
  token('github-token', ['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_'], WORD, exactly(36)),
  token('github-token', ['github_pat_'], WORD, exactly(82)),
  { kind: 'github-token', anchors: ['ghs_'], locate: locateInstallationToken },
  token('gitlab-token', ['glpat-'], BASE64URL, [20, 128]),
  token('grafana-token', ['glc_'], PADDED_BASE64, [32, 403], {
    accepts: (body) => /^[^=]{32,400}={0,3}$/.test(body),
  }),
  expression('grafana-token', ['glsa_'], /glsa_[A-Za-z0-9]{32}_[A-Fa-f0-9]{8}(?![A-Fa-f0-9])/y),
  { kind: 'openai-key', anchors: [OPENAI_MARK], locate: locateOpenAiKey },
  token('anthropic-key', ['sk-ant-api0'], BASE64URL, [94, 132], {
    accepts: (body) => /^\d-/.test(body) && body.endsWith('AA'),
  }),
  token('groq-key', ['gsk_'], ALPHANUMERIC, exactly(52)),
  token('huggingface-token', ['hf_'], LETTERS, exactly(34)),
  token('linear-key', ['lin_api_'], WORD, [32, 128]),
  token('notion-token', ['ntn_'], ALPHANUMERIC, exactly(46), { accepts: (body) => /^\d{11}/.test(body) }),
  token('1password-token', ['ops_'], PADDED_BASE64, [104, 1286], {
    accepts: (body) => body.startsWith('ey') && isJsonInBase64(body),
  }),
  token('vault-token', ['hvs.', 'hvr.'], BASE64URL, [90, 120]),
  token('vault-token', ['hvb.'], BASE64URL, [138, 300]),
  token('vercel-token', ['vcp_', 'vci_', 'vca_', 'vcr_', 'vck_'], ALPHANUMERIC, [20, 60]),
  expression('databricks-token', ['dapi'], /dapi[A-Fa-f0-9]{32}(?:-[0-9])?(?![A-Fa-f0-9])/y, {
    follow: { set: ANY_HEX, length: 32 },
  }),
  token('docker-token', ['dckr_pat_'], BASE64URL, exactly(27)),
  token('figma-token', ['figd_'], BASE64URL, [40, 200]),
  token('cloudflare-token', ['cfk_', 'cfut_', 'cfat_'], ALPHANUMERIC, exactly(48), {
    accepts: (body) => /^[0-9a-f]{8}$/.test(body.slice(40)),
  }),
  expression('tailscale-key', ['tskey-'], /tskey-[a-z]{2,20}-\w{8,40}-\w{16,60}(?!\w)/y),
  ...tokenFormats,
  ...structuredFormats,
  ...contextFormats,
];
