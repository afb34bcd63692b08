/** Secrets in addresses: a name and password before the host, and webhooks whose path is the secret. */
import { characterSet, type ScannedText } from './scanned-text.ts';

interface Span {
  readonly start: number;
  readonly end: number;
}
/** Looks for a secret around the `://` that stands at `at`. */
type Locate = (scanned: ScannedText, at: number) => Span | undefined;

const SCHEME_LENGTH_MAX = 'mongodb+srv'.length;
const schemeBefore = ({ text }: ScannedText, at: number) =>
  text.slice(Math.max(0, at - SCHEME_LENGTH_MAX), at);

const WEB_SCHEME = /(?:https?|ftps?)$/;
/** The host is asked to have a dot and something short after it, as in the library. */
const WEB_CREDENTIALS =
  /:\/\/([-\w]{1,256}):([-\w]{1,256})@[-a-zA-Z0-9%._+~#=]{1,256}\.[a-zA-Z0-9()]{1,6}\b/y;

/** The name and password of a web address. */
export const locateBasicAuth: Locate = (scanned, at) => {
  if (!WEB_SCHEME.test(schemeBefore(scanned, at))) return undefined;
  WEB_CREDENTIALS.lastIndex = at;
  const [, name = '', password = ''] = WEB_CREDENTIALS.exec(scanned.text) ?? [];
  if (!isRealName(name) || !isRealWebPassword(password)) return undefined;
  const start = at + 3;
  return { start, end: start + name.length + 1 + password.length };
};

const DATABASE_SCHEME = /(?:mongodb(?:\+srv)?|mysqlx?|postgres(?:ql)?)$/i;
const DATABASE_CREDENTIALS = /:\/\/([^:/\s]{1,100}):([^@/\s]{1,200})@(?=[^/\s?])/y;

/** The name and password of a database's address. */
export const locateDatabaseCredentials: Locate = (scanned, at) => {
  if (!DATABASE_SCHEME.test(schemeBefore(scanned, at))) return undefined;
  DATABASE_CREDENTIALS.lastIndex = at;
  const [, name = '', password = ''] = DATABASE_CREDENTIALS.exec(scanned.text) ?? [];
  if (name === password || !isRealDatabasePassword(password)) return undefined;
  return { start: at + 3, end: DATABASE_CREDENTIALS.lastIndex - 1 };
};

const WEBHOOK = /:\/\/hooks\.slack\.com\/services\/(?=T[a-z0-9]{1,40}\/B[a-z0-9]{1,40}\/[a-z0-9])/iy;
const WEBHOOK_PATH = characterSet('A-Za-z0-9/');

/** The path of a Slack webhook: whoever has it may post. */
export const locateWebhook: Locate = (scanned, at) => {
  if (!/https$/i.test(schemeBefore(scanned, at))) return undefined;
  WEBHOOK.lastIndex = at;
  if (!WEBHOOK.test(scanned.text)) return undefined;
  return { start: WEBHOOK.lastIndex, end: scanned.runEnd(WEBHOOK_PATH, WEBHOOK.lastIndex) };
};

/** What examples say where a real address has a name or a password: as a part of it in web addresses, else whole. */
const webPlaceholders = ['localhost', 'password', 'myusername', 'your_username', 'replace_with_username'];
const databasePlaceholders = new Set(
  (
    'localhost 127.0.0.1 example.com example.org test.com password username secret mypassword myusername ' +
    'root admin user pass your_password your_username replace_with_password'
  ).split(' '),
);
/** `${name}`, `{{name}}`, `{name}`, `%NAME%`, `$NAME`, `$(name)`. */
const VARIABLE = /\{[^{}]{1,50}\}|%[A-Z_]{1,30}%|\$[A-Z_]/;
const COMMAND = /\$\([^()]{1,50}\)/;
const PASSWORD_LENGTH_MIN = 4;
const NAME_LENGTH_MIN = 2;

function isRealName(name: string): boolean {
  return name.length >= NAME_LENGTH_MIN && !hasPlaceholder(name);
}

function isRealWebPassword(password: string): boolean {
  return password.length >= PASSWORD_LENGTH_MIN && !hasPlaceholder(password) && !isOneCharacter(password);
}

function hasPlaceholder(text: string): boolean {
  const lower = text.toLowerCase();
  return webPlaceholders.some((word) => lower.includes(word));
}

function isRealDatabasePassword(password: string): boolean {
  return (
    password.length >= PASSWORD_LENGTH_MIN &&
    !VARIABLE.test(password) &&
    !COMMAND.test(password) &&
    !databasePlaceholders.has(password.toLowerCase()) &&
    !isOneCharacter(password)
  );
}

function isOneCharacter(text: string): boolean {
  return text.replaceAll(text.charAt(0), '') === '';
}
