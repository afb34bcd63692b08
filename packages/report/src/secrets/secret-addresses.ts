/** Secrets in addresses: passwords before the host, and webhooks whose path is the secret. */
import { isPasswordPlaceholder } from './password-placeholders.ts';
import { expression, type SecretFormat } from './secret-format.ts';

/** `://`, and the same where JSON escapes slashes. */
const AUTHORITY_ANCHORS = ['://', ':\\/\\/'];
/** The part before the colon that is enough to recognize the schemes that matter. */
const SCHEME_LENGTH_MAX = 31;
const HAS_SCHEME = /[A-Za-z0-9]$/;
const WEB_SCHEME = /(?:https?|ftps?)$/i;
const DATABASE_SCHEME =
  /(?:mongodb(?:\+srv)?|mysqlx?|mariadb|postgres(?:ql)?|rediss?|sqlserver|clickhouse)$/i;

/**
 * A name may be empty. The password of a database may contain quotes. It ends before the last `@` of the authority,
 * since people write an `@` in a password unescaped. `docker://image:tag@sha256:…` has no password.
 */
const CREDENTIALS =
  /([^\s:/?#@"'`<>\\]{0,256}):((?:[^\s/@"'`\\]|@(?=[^\s/?#@"'`\\,;|<>()]{0,256}@)){1,256})@(?=[^\s/?"'`@])(?!sha\d{3}:)/y;
const DATABASE_CREDENTIALS =
  /([^:/\s@]{0,100}):((?:[^@/\s]|@(?=[^\s/?#@"'`\\,;|<>()]{0,200}@)){1,200})@(?=[^/\s?])/y;
const CREDENTIALS_LENGTH_MAX = 514;
const [AT, SLASH, SPACE] = [0x40, 0x2f, 0x20];
const PASSWORD_LENGTH_MIN = 4;
/** Rules out `localhost:8080,other@example.com`. */
const PORT = /^\d{1,5}(?:[,;|)\]}&]|$)/;
const HOST_NAME = /^(?:localhost|[\w-]+(?:\.[\w-]+)+|\d+(?:\.\d+){3})$/;

export const addressFormats: readonly SecretFormat[] = [
  {
    kind: 'url-password',
    otherKinds: ['basic-auth', 'database-credentials'],
    anchors: AUTHORITY_ANCHORS,
    locate({ text }, at, anchor) {
      const start = at + anchor.length;
      if (!mayHoldCredentials(text, start)) return undefined;
      const scheme = text.slice(Math.max(0, at - SCHEME_LENGTH_MAX), at);
      if (!HAS_SCHEME.test(scheme)) return undefined;
      const isDatabase = DATABASE_SCHEME.test(scheme);
      const pattern = isDatabase ? DATABASE_CREDENTIALS : CREDENTIALS;
      pattern.lastIndex = start;
      const [, name = '', password = ''] = pattern.exec(text) ?? [];
      if (!isRealPassword(name, password)) return undefined;
      const kind = isDatabase
        ? 'database-credentials'
        : WEB_SCHEME.test(scheme)
          ? 'basic-auth'
          : 'url-password';
      return { kind, start, end: pattern.lastIndex - 1 };
    },
  },
  expression(
    'slack-webhook',
    ['hooks.slack.com'],
    /hooks\.slack\.com\\?\/(?:services|workflows|triggers)\\?\/(T[a-z0-9]{1,40}\\?\/B[a-z0-9]{1,40}\\?\/[a-z0-9/]{1,80}|[a-z0-9+/]{43,56})/iy,
    { notAfter: /[\w.-]/ },
  ),
  expression(
    'discord-webhook',
    ['discord.com/api/webhooks/', 'discordapp.com/api/webhooks/'],
    /discord(?:app)?\.com\/api\/webhooks\/\d{15,22}\/([\w-]{60,80})/y,
  ),
  expression(
    'teams-webhook',
    ['.webhook.office.com/webhookb2/'],
    /\.webhook\.office\.com\/webhookb2\/([a-z0-9-]{36}@[a-z0-9-]{36}\/IncomingWebhook\/[a-z0-9]{32}\/[a-z0-9-]{36})/y,
    { notAfter: /(?!)/ },
  ),
];

/** Rules out most addresses: whether an `@` comes before the first slash or space. */
function mayHoldCredentials(text: string, start: number): boolean {
  for (let at = start; at < start + CREDENTIALS_LENGTH_MAX; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit === AT) return true;
    if (unit === SLASH || unit <= SPACE || Number.isNaN(unit)) return false;
  }
  return false;
}

function isRealPassword(name: string, password: string): boolean {
  if (password.length < PASSWORD_LENGTH_MIN || password === name || isPasswordPlaceholder(password))
    return false;
  return !(PORT.test(password) && HOST_NAME.test(name));
}
