/** Invented secrets in the published formats of their issuers, created when a test runs. Independent of the search. */
import { createHmac, generateKeyPairSync } from 'node:crypto';
import {
  BASE62,
  BASE64,
  BASE64URL,
  CAPITALS,
  DIGITS,
  HEX,
  LETTERS,
  LOWER,
  type SeededText,
} from './seeded-text.ts';

/** The secret alone, or the secret and the shortest text in which it is recognizable as a secret. */
export type Made = string | { readonly secret: string; readonly text: string };
export type MakeSecret = (random: SeededText) => Made;

const CAPITALS_AND_DIGITS = CAPITALS + DIGITS;
const WORDLIKE = `${BASE62}_`;

const prefixed =
  (prefix: string, alphabet: string, length: number, end = ''): MakeSecret =>
  (random) =>
    prefix + random.of(alphabet, length) + end;

const each = (prefixes: string, alphabet: string, length: number, end = ''): Record<string, MakeSecret> =>
  Object.fromEntries(prefixes.split(' ').map((prefix) => [prefix, prefixed(prefix, alphabet, length, end)]));

const base64url = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

function signedToken(random: SeededText, header: object = { alg: 'HS256', typ: 'JWT' }): string {
  const body = `${base64url(header)}.${base64url({ sub: random.of(DIGITS, 10), iat: 1_700_000_000, scope: random.of(LOWER, 9) })}`;
  return `${body}.${createHmac('sha256', random.bytes(32)).update(body).digest('base64url')}`;
}

const pem = (label: string, random: SeededText, length: number, end = '\n') => {
  const name = label === '' ? 'PRIVATE KEY' : `${label} PRIVATE KEY`;
  const lines =
    random
      .bytes(length)
      .toString('base64')
      .match(/.{1,64}/g) ?? [];
  return [`-----BEGIN ${name}-----`, ...lines, `-----END ${name}-----`].join(end);
};
const pemOf =
  (label: string, change: (text: string) => string = (text) => text, length = 300): MakeSecret =>
  (random) => {
    const text = change(pem(label, random, length));
    const [line = ''] = /[A-Za-z0-9+/]{16,64}/.exec(text) ?? [];
    return { secret: line, text };
  };
const eachLine = (before: string) => (text: string) =>
  text
    .split('\n')
    .map((line) => before + line)
    .join('\n');

const inUrl =
  (scheme: string, host = 'db.corp.internal:7000/x'): MakeSecret =>
  (random) => {
    const secret = `${random.of(LOWER, 6)}:${random.of(BASE62, 12)}`;
    return { secret, text: `${scheme}://${secret}@${host}` };
  };
const after =
  (lead: string, alphabet: string, length: number, end = ''): MakeSecret =>
  (random) => {
    const secret = random.of(alphabet, length) + end;
    return { secret, text: lead + secret };
  };

/** A real key, in case invented ones are easier to find. */
function realKey(): Made {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const text = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  return { secret: text.split('\n')[1]!, text };
}

export const makers: Readonly<Record<string, MakeSecret>> = {
  ...each('AKIA ASIA AROA AIDA ABIA ACCA', `${CAPITALS}234567`, 16),
  awsSecret: after('aws_secret_access_key = ', BASE64, 40),
  bedrock: (random) => `ABSK${random.bytes(99).toString('base64')}`,
  bedrockShort: (random) =>
    `bedrock-api-key-${Buffer.from('bedrock.amazonaws.com').toString('base64').replaceAll('=', '')}${random.of(BASE62, 60)}`,
  ...each('ghp_ gho_ ghu_ ghs_ ghr_', BASE62, 36),
  githubPat: (random) => `github_pat_${random.of(BASE62, 22)}_${random.of(BASE62, 59)}`,
  ...each('glpat- gldt- glft- glffct- glrt- glsoat-', BASE64URL, 20),
  glptt: prefixed('glptt-', HEX, 40),
  glimt: prefixed('glimt-', BASE64URL, 25),
  glagent: prefixed('glagent-', BASE64URL, 50),
  gloas: prefixed('gloas-', HEX, 64),
  glcbt: (random) => `glcbt-${random.of(BASE62, 2)}_${random.of(BASE64URL, 20)}`,
  glpatRoutable: (random) => `glpat-${random.of(BASE64URL, 27)}.${random.of(DIGITS + LOWER, 9)}`,
  gitlabSession: after('Cookie: _gitlab_session=', HEX, 32),
  runner: prefixed('GR1348941', BASE64URL, 20),
  ...each('npm_', BASE62, 36),
  npmrc: after('//registry.example.org/:_authToken=', HEX, 36),
  pypi: (random) =>
    `pypi-${Buffer.from(`\x02\x01\x08pypi.org`).toString('base64').replace('=', '')}${random.of(BASE64URL, 140)}`,
  rubygems: prefixed('rubygems_', HEX, 48),
  clojars: prefixed('CLOJARS_', HEX, 60),
  artifactory: prefixed('AKCp', BASE62, 69),
  artifactoryReference: prefixed('cmVmd', BASE62, 59),
  'xoxb-': (random) => `xoxb-${random.of(DIGITS, 12)}-${random.of(DIGITS, 12)}-${random.of(BASE62, 24)}`,
  'xoxp-': (random) =>
    `xoxp-${random.of(DIGITS, 11)}-${random.of(DIGITS, 11)}-${random.of(DIGITS, 12)}-${random.of(HEX, 32)}`,
  'xapp-': (random) =>
    `xapp-1-A${random.of(CAPITALS_AND_DIGITS, 10)}-${random.of(DIGITS, 13)}-${random.of(HEX, 64)}`,
  'xoxe.xoxp-': (random) => `xoxe.xoxp-1-${random.of(BASE62, 166)}`,
  'xoxe-': (random) => `xoxe-1-${random.of(BASE62, 146)}`,
  'xoxs-': (random) =>
    `xoxs-${random.of(DIGITS, 11)}-${random.of(DIGITS, 11)}-${random.of(DIGITS, 11)}-${random.of(HEX, 10)}`,
  slackHook: (random) => {
    const secret = `T${random.of(CAPITALS_AND_DIGITS, 9)}/B${random.of(CAPITALS_AND_DIGITS, 9)}/${random.of(BASE62, 24)}`;
    return { secret, text: ['https://hooks', 'slack', `com/services/${secret}`].join('.') };
  },
  slackWorkflow: (random) => {
    const secret = `T${random.of(CAPITALS_AND_DIGITS, 8)}/A${random.of(CAPITALS_AND_DIGITS, 8)}/${random.of(DIGITS, 18)}/${random.of(BASE62, 12)}`;
    return { secret, text: ['https://hooks', 'slack', `com/workflows/${secret}`].join('.') };
  },
  teamsHook: (random) => {
    const secret = `${random.uuid()}@${random.uuid()}/IncomingWebhook/${random.of(HEX, 32)}/${random.uuid()}`;
    return { secret, text: `https://corp.webhook.office.com/webhookb2/${secret}` };
  },
  discordHook: (random) => {
    const secret = random.of(BASE64URL, 68);
    return { secret, text: `https://discord.com/api/webhooks/${random.of(DIGITS, 18)}/${secret}` };
  },
  ...each('AIza', BASE64URL, 35),
  ...each('GOCSPX-', BASE64URL, 28),
  ...each('ya29.', BASE64URL, 120),
  azureAccount: (random) => {
    const secret = random.bytes(64).toString('base64');
    return {
      secret,
      text: `DefaultEndpointsProtocol=https;AccountName=store1;AccountKey=${secret};EndpointSuffix=core.windows.net`,
    };
  },
  azureBus: (random) => {
    const secret = random.bytes(32).toString('base64');
    return {
      secret,
      text: `Endpoint=sb://bus.servicebus.windows.net/;SharedAccessKeyName=Root;SharedAccessKey=${secret}`,
    };
  },
  azureSignature: (random) => {
    const secret = encodeURIComponent(random.bytes(32).toString('base64'));
    return {
      secret,
      text: `https://store1.blob.core.windows.net/c/f?sv=2023-11-03&se=2030-01-01&sr=b&sp=r&sig=${secret}`,
    };
  },
  azureClient: (random) => `${random.of(BASE62, 3)}8Q~${random.of(BASE62, 34)}`,
  ...each('sk_live_ sk_test_ rk_live_ rk_test_ sk_prod_', BASE62, 24),
  stripeLong: prefixed('sk_live_51', BASE62, 97),
  ...each('shpat_ shpca_ shppa_ shpss_', HEX, 32),
  ...each('sq0atp-', BASE64URL, 22),
  square: prefixed('EAAA', BASE64URL, 60),
  ...each('shippo_live_ shippo_test_', HEX, 40),
  ...each('EZAK EZTK', BASE62, 54),
  ...each('duffel_test_ duffel_live_', BASE64URL, 43),
  flutterSecret: prefixed('FLWSECK_TEST-', 'abcdefgh0123456789', 32, '-X'),
  flutterEncryption: prefixed('FLWSECK_TEST-', 'abcdefgh0123456789', 12),
  plaid: (random) => `access-${random.pick(['sandbox', 'development', 'production'])}-${random.uuid()}`,
  sendgrid: (random) => `SG.${random.of(BASE64URL, 22)}.${random.of(BASE64URL.slice(0, -2), 43)}`,
  brevo: (random) => `xkeysib-${random.of(HEX, 64)}-${random.of(BASE62, 16)}`,
  mailchimp: (random) => `${random.of(HEX, 32)}-us${1 + random.number(21)}`,
  mailgun: (random) => {
    const secret = `key-${random.of(HEX, 32)}`;
    return { secret, text: `MAILGUN_API_KEY=${secret}` };
  },
  twilio: prefixed('SK', HEX, 32),
  telegram: (random) => `${1 + random.number(9)}${random.of(DIGITS, 9)}:AA${random.of(BASE64URL, 33)}`,
  facebook: prefixed('EAAC', BASE62, 160),
  openAi: (random) =>
    `sk-proj-${random.of(BASE64URL, 74)}${['T3Blb', 'kFJ'].join('')}${random.of(BASE62, 74)}`,
  anthropic: prefixed('sk-ant-api03-', BASE64URL, 93, 'AA'),
  anthropicAdmin: prefixed('sk-ant-admin01-', BASE64URL, 93, 'AA'),
  ...each('hf_ api_org_', LETTERS, 34),
  ...each('gsk_', BASE62, 52),
  ...each('pplx-', BASE62, 48),
  ...each('sk-or-v1-', HEX, 64),
  ...each('xai-', BASE62, 80),
  ...each('dop_v1_ doo_v1_ dor_v1_', HEX, 64),
  heroku: prefixed('HRKU-AA', BASE64URL, 58),
  fly: prefixed('fo1_', BASE64URL, 43),
  flyMacaroon: prefixed('fm2_', BASE64, 200),
  ...each('dp.pt.', BASE62, 43),
  dynatrace: (random) => `dt0c01.${random.of(CAPITALS_AND_DIGITS, 24)}.${random.of(CAPITALS_AND_DIGITS, 64)}`,
  ...each('pnu_', BASE62, 36),
  ...each('pul-', HEX, 40),
  ...each('rdme_', DIGITS + LOWER, 70),
  ...each('tk-us-', BASE64URL, 48),
  ...each('sntryu_', HEX, 64),
  sentryOrg: (random) =>
    `sntrys_${Buffer.from(JSON.stringify({ iat: 1_700_000_000.1, url: 'https://sentry.io', region_url: 'https://us.sentry.io', org: random.of(LOWER, 6) })).toString('base64')}_${random.of(BASE64, 43)}`,
  ...each('sm_aat_ sm_pat_ sm_sat_', BASE62, 16),
  sourcegraph: (random) => `sgp_${random.of(HEX, 16)}_${random.of(HEX, 40)}`,
  sourcegraphOld: prefixed('sgp_', HEX, 40),
  terraform: (random) => `${random.of(BASE62, 14)}.atlasv1.${random.of(BASE62, 67)}`,
  'hvs.': prefixed('hvs.', BASE64URL, 95),
  'hvb.': prefixed('hvb.', BASE64URL, 160),
  vaultOld: (random) => `s.${random.of(LOWER, 8)}${random.of(BASE62, 8)}Q7${random.of(CAPITALS, 6)}`,
  ...each('lin_api_', BASE62, 40),
  notion: (random) => `ntn_${random.of(DIGITS, 11)}${random.of(BASE62, 35)}`,
  airtable: (random) => `pat${random.of(BASE62, 14)}.${random.of(HEX, 64)}`,
  harness: (random) => `pat.${random.of(BASE64URL, 22)}.${random.of(HEX, 24)}.${random.of(BASE62, 20)}`,
  postman: (random) => `PMAK-${random.of(HEX, 24)}-${random.of(HEX, 34)}`,
  newRelic: prefixed('NRAK-', CAPITALS_AND_DIGITS, 27),
  newRelicInsert: prefixed('NRII-', BASE64URL, 32),
  grafana: (random) => `glsa_${random.of(BASE62, 32)}_${random.of(HEX, 8)}`,
  grafanaCloud: (random) =>
    `glc_${Buffer.from(JSON.stringify({ o: random.of(DIGITS, 6), k: random.of(BASE62, 24) })).toString('base64')}`,
  grafanaOld: (random) =>
    Buffer.from(JSON.stringify({ k: random.of(BASE62, 32), n: random.of(LOWER, 14), id: 1 })).toString(
      'base64',
    ),
  ...each('dapi', HEX, 32),
  ...each('dckr_pat_', BASE64URL, 27),
  ...each('figd_', BASE64URL, 40),
  cloudflareOrigin: (random) => `v1.0-${random.of(HEX, 24)}-${random.of(HEX, 146)}`,
  octopus: (random) => `API-${random.of(CAPITALS_AND_DIGITS, 25)}7`,
  maxmind: (random) => `${random.of(BASE62, 6)}_${random.of(BASE62, 29)}_mmk`,
  adobe: prefixed('p8e-', BASE62, 32),
  alibaba: (random) => `LTAI5t${random.of(LOWER, 6)}${random.of(CAPITALS, 6)}4${random.of(BASE62, 5)}`,
  atlassian: prefixed('ATATT3', BASE64URL, 186),
  yandex: (random) => `t1.${random.of(BASE64URL, 40)}.${random.of(BASE64URL, 86)}`,
  yandexKey: (random) => `AQVN${random.of(LOWER, 10)}7${random.of(BASE62, 24)}X`,
  onePassword: (random) =>
    `A3-${random.of(CAPITALS_AND_DIGITS, 6)}-${random.of(CAPITALS_AND_DIGITS, 6)}-${[5, 5, 5, 5].map((length) => random.of(CAPITALS_AND_DIGITS, length)).join('-')}`,
  age: prefixed('AGE-SECRET-KEY-1', 'QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L', 58),
  authress: (random) =>
    `sc_${random.of(LOWER, 10)}.${random.of(BASE62, 5)}.acc-${random.of(LOWER, 14)}.${random.of(BASE62, 60)}`,
  clickhouse: prefixed('4b1d', BASE62, 38),
  ...each('pscale_tkn_ pscale_oauth_ pscale_pw_', WORDLIKE, 43),
  infracost: prefixed('ico-', BASE62, 32),
  frameio: prefixed('fio-u-', BASE64URL, 64),
  intra42: prefixed('s-s4t2ud-', HEX, 64),
  openshift: prefixed('sha256~', BASE64URL, 43),
  settlementTypeform: prefixed('tfp_', BASE62, 59),
  sonar: prefixed('squ_', HEX, 40),
  dnkey: (random) => `dnkey-${random.of(CAPITALS_AND_DIGITS, 26)}-${random.of(CAPITALS_AND_DIGITS, 52)}`,
  dropbox: prefixed('sl.', BASE64URL, 135),
  tailscale: (random) => `tskey-auth-${random.of(BASE62, 12)}-${random.of(BASE62, 32)}`,
  svcp_: prefixed('vcp_', BASE62, 24),
  jwt: (random) => signedToken(random),
  jwtKeyed: (random) => signedToken(random, { kid: random.of(HEX, 8), typ: 'JWT', alg: 'RS256' }),
  jwtInBase64: (random) => Buffer.from(signedToken(random)).toString('base64'),
  realKey,
  pkcs8: pemOf(''),
  pkcs1: pemOf('RSA'),
  dsa: pemOf('DSA'),
  sec1: pemOf('EC', undefined, 90),
  openSsh: pemOf('OPENSSH'),
  encrypted: pemOf('ENCRYPTED'),
  otherLabel: pemOf('ANY OTHER'),
  short: pemOf('', undefined, 15),
  pgp: pemOf('PGP', (text) =>
    text
      .replaceAll('PRIVATE KEY', 'PRIVATE KEY BLOCK')
      .replace('\n', '\nVersion: GnuPG v2\nComment: main\n\n'),
  ),
  encryptedPem: pemOf('RSA', (text) =>
    text.replace('\n', `\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,${'0A'.repeat(16)}\n\n`),
  ),
  escapedKey: pemOf('', (text) => text.replaceAll('\n', String.raw`\n`)),
  doublyEscapedKey: pemOf('', (text) => text.replaceAll('\n', String.raw`\\n`)),
  crlfKey: pemOf('', (text) => text.replaceAll('\n', '\r\n')),
  escapedCrlfKey: pemOf('', (text) => text.replaceAll('\n', String.raw`\r\n`)),
  flatKey: pemOf('', (text) => text.replaceAll('\n', ' ')),
  indentedKey: pemOf('RSA', eachLine('        ')),
  addedKey: pemOf('RSA', eachLine('+')),
  removedKey: pemOf('RSA', eachLine('-')),
  commentedKey: pemOf('EC', eachLine('# ')),
  commentedInCode: pemOf('RSA', eachLine('// ')),
  commentedInBlock: pemOf('RSA', eachLine(' * ')),
  quotedKey: pemOf('RSA', eachLine('> ')),
  joinedKey: pemOf('RSA', (text) =>
    text
      .split('\n')
      .map((line) => String.raw`"${line}\n"`)
      .join(' +\n  '),
  ),
  listedKey: pemOf('', (text) => JSON.stringify(text.split('\n'))),
  cutKey: pemOf('RSA', (text) => text.slice(0, 200)),
  ssh2: (random) => {
    const secret = random.bytes(45).toString('base64');
    return {
      secret,
      text: `---- BEGIN SSH2 ENCRYPTED PRIVATE KEY ----\nComment: "rsa"\n${secret}\n---- END SSH2 ENCRYPTED PRIVATE KEY ----`,
    };
  },
  putty: (random) => {
    const secret = random.bytes(48).toString('base64');
    return {
      secret,
      text: `PuTTY-User-Key-File-3: ssh-ed25519\nEncryption: none\nPrivate-Lines: 1\n${secret}\nPrivate-MAC: ${random.of(HEX, 64)}`,
    };
  },
  ...Object.fromEntries(
    'http https ftp sftp ssh redis rediss amqp amqps postgres postgresql mysql mongodb mongodb+srv mssql ldap ldaps smtp smtps nats kafka mqtt socks5 rtsp git+https jdbc:mariadb couchbase bolt'
      .split(' ')
      .map((scheme) => [`url ${scheme}`, inUrl(scheme)]),
  ),
  emptyName: (random) => {
    const secret = `:${random.of(BASE62, 16)}`;
    return { secret, text: `redis://${secret}@cache:6379/0` };
  },
  localHost: inUrl('https', 'localhost:8443'),
  punctuated: (random) => {
    const secret = `svc:${random.of(BASE62, 6)}!${random.of(BASE62, 4)}%24$&`;
    return { secret, text: `amqp://${secret}@mq.corp/vhost` };
  },
};
