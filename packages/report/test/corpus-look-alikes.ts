/** Texts of repositories and reports that resemble secrets. */
import { createHash, generateKeyPairSync } from 'node:crypto';
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

export type MakeLookAlike = (random: SeededText) => string;

const digest = (algorithm: string, encoding: 'hex' | 'base64') => (random: SeededText) =>
  createHash(algorithm).update(random.bytes(8)).digest(encoding);
const url =
  (credentials: string): MakeLookAlike =>
  (random) =>
    `${random.pick(['postgres', 'https', 'redis', 'amqp', 'mysql', 'ftp', 'mongodb+srv'])}://${credentials}@${random.pick(['host', 'db.example.com', 'localhost:5432'])}/x`;
const fixed =
  (text: string): MakeLookAlike =>
  () =>
    text;
const identifier = (random: SeededText) =>
  Array.from({ length: 3 }, () =>
    random.pick(['get', 'User', 'Token', 'Path', 'Render', 'State', 'Key', 'Stack']),
  ).join('');

export const lookAlikes: Readonly<Record<string, MakeLookAlike>> = {
  md5: digest('md5', 'hex'),
  sha1: digest('sha1', 'hex'),
  sha256: digest('sha256', 'hex'),
  sha512: digest('sha512', 'hex'),
  sha256Base64: digest('sha256', 'base64'),
  namedDigest: (random) => `sha256:${random.of(HEX, 64)}`,
  image: (random) => `docker://registry:1.2.3@sha256:${random.of(HEX, 64)}`,
  imageInRegistry: (random) => `ghcr.io/acme/app:v1@sha256:${random.of(HEX, 64)}`,
  commit: (random) => `commit ${random.of(HEX, 40)}`,
  gitObject: (random) => `100644 blob ${random.of(HEX, 40)}\tsrc/a.ts`,
  gitIndex: (random) => `index ${random.of(HEX, 7)}..${random.of(HEX, 7)} 100644`,
  uuid: (random) => random.uuid(),
  integrity: (random) => `"integrity": "sha512-${random.bytes(64).toString('base64')}"`,
  yarnLock: (random) => `resolved "https://registry.yarnpkg.com/a/-/a-1.0.0.tgz#${random.of(HEX, 40)}"`,
  goSum: (random) => `golang.org/x/net v0.1.0 h1:${random.bytes(32).toString('base64')}`,
  cargoLock: (random) => `checksum = "${random.of(HEX, 64)}"`,
  subresource: (random) =>
    `<script src="a.js" integrity="sha384-${random.bytes(48).toString('base64')}"></script>`,
  asset: (random) => `/assets/index-${random.of(BASE64URL, 8)}.js`,
  favicon: (random) => `/favicon.ico-${random.of(HEX, 32)}`,
  cacheKey: (random) => `key-${random.of(HEX, 32)}`,
  region: (random) => `${random.of(HEX, 32)}-us-east-1`,
  png: (random) => `data:image/png;base64,iVBORw0KGgo${random.bytes(600).toString('base64')}`,
  font: (random) => `url(data:font/woff2;base64,d09GMgAB${random.bytes(900).toString('base64')})`,
  zeros: (random) => `EAAA${'A'.repeat(40)}${random.of(BASE64, 8)}`,
  sourceMap: (random) =>
    `"mappings":"${Array.from({ length: 80 }, () => random.of('ACEGIKMO', 4)).join(',')}"`,
  base64Json: (random) =>
    Buffer.from(JSON.stringify({ page: random.number(99), after: random.uuid() })).toString('base64'),
  certificate: (random) =>
    `-----BEGIN CERTIFICATE-----\n${random.bytes(400).toString('base64')}\n-----END CERTIFICATE-----`,
  publicKey: () =>
    generateKeyPairSync('ec', { namedCurve: 'P-256' })
      .publicKey.export({ type: 'spki', format: 'pem' })
      .toString(),
  sshPublicKey: (random) =>
    `ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI${random.bytes(31).toString('base64')} me@host`,
  pgpSignature: (random) =>
    `-----BEGIN PGP SIGNATURE-----\n\n${random.bytes(200).toString('base64')}\n-----END PGP SIGNATURE-----`,
  keyLeftOut: fixed('-----BEGIN PRIVATE KEY-----\n...\n-----END PRIVATE KEY-----'),
  keyInTemplate: fixed(
    '`-----BEGIN PRIVATE KEY-----\\n${formattedPrivateKeyBody}\\n-----END PRIVATE KEY-----`',
  ),
  keyInCode: fixed(
    `const pem = '-----BEGIN PRIVATE KEY-----' + encodedPrivateKeyMaterial + '-----END PRIVATE KEY-----';`,
  ),
  keyInCheck: fixed(
    `if (!text.startsWith('-----BEGIN RSA PRIVATE KEY-----')) throw new TypeError('unsupported');`,
  ),
  keyInProse: fixed('It begins with -----BEGIN PRIVATE KEY----- and everything up to the footer counts.'),
  keyToFill: fixed('-----BEGIN RSA PRIVATE KEY-----\n<your key here>\n-----END RSA PRIVATE KEY-----'),
  unsigned: (random) =>
    `${Buffer.from('{"alg":"none"}').toString('base64url')}.${Buffer.from(`{"sub":"${random.of(DIGITS, 9)}"}`).toString('base64url')}.`,
  unsignedTwoParts: (random) =>
    `${Buffer.from('{"alg":"HS256"}').toString('base64url')}.${Buffer.from(`{"sub":"${random.of(DIGITS, 9)}"}`).toString('base64url')}`,
  jwtShape: (random) =>
    `eyJ${random.of(BASE64URL, 40)}.eyJ${random.of(BASE64URL, 60)}.${random.of(BASE64URL, 43)}`,
  userPassword: url('user:password'),
  variable: url('${USER}:${PASSWORD}'),
  shellVariable: url('$DB_USER:$DB_PASSWORD'),
  command: url('app:$(cat /run/secret)'),
  moustache: url('app:{{ password }}'),
  braces: url('{user}:{password}'),
  printf: url('%s:%s'),
  percent: url('%USER%:%PASS%'),
  angle: url('<user>:<password>'),
  stars: url('app:*****'),
  crosses: url('app:xxxxxxxx'),
  dots: url('app:....'),
  changeMe: url('app:changeme'),
  yourPassword: url('your_user:your-password-here'),
  example: url('app:example'),
  sameTwice: url('postgres:postgres'),
  secretWord: url('root:secret'),
  redacted: url('app:[redacted]'),
  ports: fixed('http://localhost:8080,admin@example.com'),
  noPassword: fixed('ssh://git@github.com:22/acme/app.git'),
  scopedPackage: fixed('https://registry.npmjs.org/@types/node/-/node-24.0.0.tgz'),
  mailTo: fixed('Contact mailto:me@example.com or https://example.com:443/@me'),
  exampleKeyId: fixed(['AKIA', 'IOSFODNN7', 'EXAMPLE'].join('')),
  otherExampleKeyId: fixed(['AKIA', 'I44QH8DHB', 'EXAMPLE'].join('')),
  exampleKey: fixed(`aws_secret_access_key = ${['wJalrXUtnFEMI/K7MDENG/', 'bPxRfiCYEXAMPLEKEY'].join('')}`),
  maskedToken: (random) => random.pick(['ghp_', 'npm_', 'sk_live_', 'glpat-', 'AIza']) + 'x'.repeat(36),
  shortToken: (random) => `ghp_${random.of(BASE62, 12)}`,
  longToken: (random) => `ghp_${random.of(BASE62, 50)}`,
  tokenInWord: (random) => `xghp_${random.of(BASE62, 36)}`,
  prefixAlone: fixed('tokens that begin with ghp_, glpat-, AIza, xoxb- or npm_ and keys such as AKIA and SK'),
  npmVariable: fixed('//registry.npmjs.org/:_authToken=${NPM_TOKEN}'),
  npmFunction: (random) => `npm_${identifier(random)}_lifecycle_event`,
  environment: (random) => `npm_config_${random.of(LOWER, 12)}=${random.of(LOWER, 8)}`,
  minified: (random) =>
    `this.${identifier(random)}=s.${random.of(LOWER, 4)}${identifier(random)}2(e,t);var s=pat.${identifier(random)};`,
  minifiedMember: (random) => `a=s.unstable${random.of(LETTERS, 11)}2State3=b`,
  cssId: (random) =>
    `<div id="pul-${random.of(LOWER, 12)}" class="ico-${random.of(LOWER, 9)} sk-fading-circle"></div>`,
  cssModule: (random) =>
    `.button_${random.of(BASE62, 5)}__${random.of(BASE62, 5)} { color: #${random.of(HEX, 6)}; }`,
  taskId: (random) => `TASK${random.of(DIGITS, 8)} and SK${random.of(CAPITALS, 4)}-${random.of(DIGITS, 3)}`,
  semver: (random) => `v1.0-${random.of(HEX, 8)}`,
  phone: (random) => `+1 ${random.of(DIGITS, 3)} ${random.of(DIGITS, 7)}`,
  time: (random) => `${random.of(DIGITS, 10)}:AAPL`,
  traceId: (random) => `traceparent: 00-${random.of(HEX, 32)}-${random.of(HEX, 16)}-01`,
  etag: (random) => `ETag: W/"${random.of(HEX, 10)}-${random.bytes(20).toString('base64')}"`,
  nonce: (random) =>
    `script-src 'nonce-${random.bytes(16).toString('base64')}' 'sha256-${random.bytes(32).toString('base64')}'`,
  ulid: (random) => `01${random.of('0123456789ABCDEFGHJKMNPQRSTVWXYZ', 24)}`,
  objectId: (random) => random.of(HEX, 24),
  awsArn: (random) => `arn:aws:iam::role/${random.of(LETTERS, 12)}`,
  signatureQuery: (random) =>
    `https://cdn.example.com/a.js?v=${random.of(HEX, 20)}&sig=${random.of(HEX, 16)}`,
  german: fixed(
    'Das Geheimnis des Zugangs: Der Schlüssel liegt im Tresor, das Kennwort kennt nur die Leitung.',
  ),
  french: fixed('Le mot de passe du compte : voir l’administrateur. Le jeton d’accès expire bientôt.'),
  japanese: fixed('パスワードは管理者に確認してください。アクセストークンは期限切れです。'),
  chinese: fixed('密码请联系管理员，访问令牌已过期：token 在设置中。'),
  accountSentence: fixed('The account: 12 users. The secret access key is stored elsewhere.'),
  azureVariable: fixed('AccountKey=${STORAGE_KEY};EndpointSuffix=core.windows.net'),
  bearerWord: fixed('Authorization: Bearer <token>'),
  lorem: (random) => Array.from({ length: 40 }, () => random.between(LOWER, 2, 11)).join(' '),
};
