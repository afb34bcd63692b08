/** Tokens that are a prefix and a run of characters of one set, a row for each. */
import { characterSet, type CharacterSet } from './scanned-text.ts';
import { token, type SecretFormat, type TokenOptions } from './secret-format.ts';

const ALPHANUMERIC = characterSet('A-Za-z0-9');
const HEX = characterSet('a-f0-9');
const ANY_HEX = characterSet('A-Fa-f0-9');
const LOWER = characterSet('a-z0-9');
const CAPITALS = characterSet('A-Z0-9');
const LETTERS = characterSet('A-Za-z');
const PADDED_BASE64 = characterSet('A-Za-z0-9+/=');
const BASE64URL = characterSet('A-Za-z0-9_-');
const PADDED_BASE64URL = characterSet('A-Za-z0-9_=-');
const DOTTED = characterSet('A-Za-z0-9_=.-');
const BECH32 = characterSet('QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L');

/** A prefix that occurs by chance: the token must be separate from base64, paths and longer words. */
const apart: TokenOptions = { notAfter: /[\p{L}\p{N}_+/.-]/u, notBefore: /[\w+/=-]/ };
/** A distinct prefix. */
const usual: TokenOptions = { notAfter: /[\p{L}\p{N}]/u, notBefore: /[A-Za-z0-9]/ };
/** Rules out digests after a word: `ico-` and a hash of the file. */
const isNotHex = (body: string) => /[^a-fA-F0-9]/.test(body);
const hasDigit = (body: string) => /\d/.test(body);
const isMixed = (body: string) => /\d/.test(body) && /[a-z]/.test(body) && /[A-Z]/.test(body);
/** A run of `A` in base64 is zeros, which are data and not a token. */
const hasNoZeros = (body: string) => !body.includes('AAAAAA');

type Row = readonly [
  kind: string,
  prefixes: string,
  set: CharacterSet,
  length: number | readonly [min: number, max: number],
  options?: TokenOptions,
];

const UNBOUNDED = 5000;

const rows: readonly Row[] = [
  ['1password-token', 'ops_eyJ', PADDED_BASE64, [250, UNBOUNDED]],
  ['adobe-secret', 'p8e-', ALPHANUMERIC, 32, { ...usual, accepts: isNotHex }],
  ['age-key', 'AGE-SECRET-KEY-1', BECH32, 58],
  ['alibaba-key-id', 'LTAI', ALPHANUMERIC, [16, 22], { ...apart, accepts: isMixed }],
  ['anthropic-key', 'sk-ant-admin0 sk-ant-oat0 sk-ant-sid0', BASE64URL, [80, 132]],
  ['artifactory-key', 'AKCp', ALPHANUMERIC, 69, apart],
  ['artifactory-key', 'cmVmd', ALPHANUMERIC, 59, apart],
  ['atlassian-token', 'ATATT3', PADDED_BASE64URL, [150, 250]],
  ['atlassian-token', 'ATCTT3', PADDED_BASE64URL, [150, 250]],
  ['aws-bedrock-key', 'ABSK', PADDED_BASE64, [109, 271], { ...apart, accepts: hasNoZeros }],
  ['aws-bedrock-key', 'bedrock-api-key-YmVkcm9jay5hbWF6b25hd3MuY29t', PADDED_BASE64, [0, UNBOUNDED]],
  ['clickhouse-key', '4b1d', ALPHANUMERIC, 38, { ...apart, accepts: isNotHex }],
  ['clojars-token', 'CLOJARS_ clojars_', ALPHANUMERIC, 60],
  ['contentful-token', 'CFPAT-', BASE64URL, 43],
  ['defined-networking-token', 'dnkey-', PADDED_BASE64URL, [70, 90]],
  ['digitalocean-token', 'dop_v1_ doo_v1_ dor_v1_', ANY_HEX, 64],
  ['doppler-token', 'dp.pt. dp.ct. dp.sa. dp.scim. dp.audit.', ALPHANUMERIC, [40, 44]],
  ['dropbox-token', 'sl.', PADDED_BASE64URL, [130, 2000], { ...apart, notBefore: /(?!)/ }],
  ['duffel-token', 'duffel_test_ duffel_live_', PADDED_BASE64URL, 43],
  ['easypost-key', 'EZAK EZTK', ALPHANUMERIC, 54, apart],
  ['facebook-token', 'EAAM EAAC', ALPHANUMERIC, [100, 400], { ...apart, accepts: hasNoZeros }],
  ['fly-token', 'fo1_', BASE64URL, 43],
  ['fly-token', 'fm1a_ fm1r_ fm2_', PADDED_BASE64, [100, UNBOUNDED]],
  ['frameio-token', 'fio-u-', PADDED_BASE64URL, 64],
  ['gitlab-token', 'gldt- glft- glffct- glrt- glsoat- glrtr- glwt-', BASE64URL, [20, 64]],
  ['gitlab-token', 'glimt-', BASE64URL, [20, 64]],
  ['gitlab-token', 'glagent-', BASE64URL, [40, 80]],
  ['gitlab-token', 'gloas-', BASE64URL, 64],
  ['gitlab-token', 'glptt-', HEX, 40],
  ['gitlab-token', 'GR1348941', BASE64URL, [20, 64]],
  ['gitlab-session', '_gitlab_session=', LOWER, 32, { notAfter: /(?!)/ }],
  ['google-api-key', 'AIza', BASE64URL, 35, { notAfter: /[\p{L}\p{N}_]/u }],
  ['google-oauth-secret', 'GOCSPX-', BASE64URL, 28],
  ['google-oauth-token', 'ya29.', BASE64URL, [60, UNBOUNDED]],
  ['grafana-token', 'eyJrIjoi', PADDED_BASE64, [70, 403], apart],
  ['heroku-key', 'HRKU-AA', BASE64URL, 58],
  ['huggingface-token', 'api_org_', LETTERS, 34],
  ['infracost-key', 'ico-', ALPHANUMERIC, 32, { ...apart, accepts: isNotHex }],
  ['intra42-secret', 's-s4t2ud- s-s4t2af-', ANY_HEX, 64],
  ['lob-key', 'live_pub_ test_pub_', HEX, 31],
  ['new-relic-key', 'NRAK-', ALPHANUMERIC, 27],
  ['new-relic-key', 'NRII-', BASE64URL, 32],
  ['new-relic-key', 'NRJS-', ALPHANUMERIC, 19],
  ['nvidia-key', 'nvapi-', BASE64URL, [60, 80]],
  ['octopus-key', 'API-', CAPITALS, 26, { ...usual, accepts: (body) => hasDigit(body) && isNotHex(body) }],
  ['openrouter-key', 'sk-or-v1-', HEX, 64],
  ['openshift-token', 'sha256~', BASE64URL, 43, { notAfter: /[\p{L}\p{N}_]/u }],
  ['perplexity-key', 'pplx-', ALPHANUMERIC, 48],
  ['planetscale-token', 'pscale_tkn_ pscale_oauth_ pscale_pw_', DOTTED, [32, 65]],
  ['prefect-token', 'pnu_ pnb_', ALPHANUMERIC, 36],
  ['pulumi-token', 'pul-', HEX, 40],
  ['pypi-token', 'pypi-AgEIcHlwaS5vcmc pypi-AgENdGVzdC5weXBpLm9yZ', BASE64URL, [50, 1000]],
  ['readme-token', 'rdme_', LOWER, 70],
  ['replicate-token', 'r8_', ALPHANUMERIC, 37, usual],
  ['rubygems-token', 'rubygems_', HEX, 48],
  ['scalingo-token', 'tk-us-', BASE64URL, 48],
  ['sentry-token', 'sntryu_', HEX, 64],
  ['settlemint-token', 'sm_aat_ sm_pat_ sm_sat_', ALPHANUMERIC, 16, { ...usual, accepts: hasDigit }],
  ['shippo-token', 'shippo_live_ shippo_test_', ANY_HEX, 40],
  ['sonar-token', 'squ_ sqp_ sqa_', ALPHANUMERIC, 40],
  ['sourcegraph-token', 'sgp_', ANY_HEX, 40],
  [
    'square-token',
    'EAAA',
    BASE64URL,
    [22, 60],
    { ...apart, accepts: (body) => hasNoZeros(body) && isMixed(body) },
  ],
  ['square-token', 'sq0atp- sq0csp-', BASE64URL, [22, 60]],
  ['stripe-key', 'sk_prod_ rk_prod_', ALPHANUMERIC, [24, 99]],
  [
    'stripe-key',
    'sk_live_ sk_test_ rk_live_ rk_test_ sk_prod_ rk_prod_',
    ALPHANUMERIC,
    [10, 23],
    { ...usual, accepts: isMixed },
  ],
  ['stripe-key', 'whsec_', PADDED_BASE64, [32, 64], { ...usual, accepts: isMixed }],
  ['supabase-token', 'sbp_', HEX, 40],
  ['supabase-token', 'sb_secret_', BASE64URL, [30, 60]],
  ['twilio-key', 'SK', ANY_HEX, 32, apart],
  ['typeform-token', 'tfp_', DOTTED, [44, 80]],
  [
    'vault-token',
    's.',
    ALPHANUMERIC,
    24,
    { notAfter: /[\p{L}\p{N}_$)\].+/-]/u, notBefore: /[\w+/=.(){[$-]/, accepts: isMixed },
  ],
  ['xai-key', 'xai-', ALPHANUMERIC, 80],
  ['yandex-key', 'AQVN', BASE64URL, [35, 38], { ...apart, accepts: isMixed }],
];

export const tokenFormats: readonly SecretFormat[] = rows.map(
  ([kind, prefixes, set, length, options = usual]) =>
    token(kind, prefixes.split(' '), set, typeof length === 'number' ? [length, length] : length, {
      ...usual,
      ...options,
    }),
);
