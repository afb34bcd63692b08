/** Secrets without a prefix, recognized by the name of the field or the service beside them. */
import { characterSet, type ScannedText } from './scanned-text.ts';
import { expression, type SecretFormat } from './secret-format.ts';

const NOTHING = /(?!)/;
/** The maximum distance from the name of a service to a value. */
const NEAR_LENGTH = 80;

/** A format that counts only shortly after the name of its service. */
function near(service: RegExp, format: SecretFormat): SecretFormat {
  return {
    ...format,
    locate(scanned, at, anchor) {
      const span = format.locate(scanned, at, anchor);
      if (span === undefined) return undefined;
      return service.test(textBefore(scanned, span.start)) ? span : undefined;
    },
  };
}

function textBefore({ text }: ScannedText, at: number): string {
  return text.slice(Math.max(0, at - NEAR_LENGTH), at);
}

const HEX = characterSet('a-f0-9');
const BASE64URL = characterSet('A-Za-z0-9_-');
/** The usual boundaries of a value in code, JSON (also escaped), YAML, XML and shells. */
const usual = { notAfter: /[\p{L}\p{N}_]/u, notBefore: /[\w-]/ };
const SAS_FIELD = /(?:^|[?&;\s"'])(?:sv|sr|se|sp|st|skn)=/;
const SAS_LENGTH = 400;

/** Plain, percent-encoded, or escaped as in JSON. */
const EQUALS_SIGN = String.raw`(?:=|%3d|\\{1,2}u003d)`;
const BASE64_CHARACTER = String.raw`(?:[a-z0-9+/]|\\{1,2}/|%2[bf]|\\{1,2}u002[bf])`;

/** A key in connection strings, settings, JSON and elements of XML. */
function azureKey(anchors: readonly string[], name: string): SecretFormat {
  // linear: an anchor, then bounded runs in which each character matches in one way
  const pattern = new RegExp(
    String.raw`${name}\\{0,2}["']?(?:\s{0,8}(?:[:=>]|%3d|\\{1,2}u003d)|(?=\s))\s{0,8}\\{0,2}["']?(${BASE64_CHARACTER}{40,100}${EQUALS_SIGN}{1,2})`,
    'iy',
  );
  return expression('azure-key', anchors, pattern, { notAfter: NOTHING });
}

export const contextFormats: readonly SecretFormat[] = [
  azureKey(
    ['AccountKey', 'accountKey', 'accountkey', 'account_key', 'ACCOUNT_KEY', 'account-key', 'ACCOUNTKEY'],
    'account[_-]?key',
  ),
  azureKey(['SharedAccessKey', 'sharedAccessKey', 'sharedaccesskey'], 'sharedaccesskey'),
  {
    kind: 'azure-signature',
    anchors: ['sig='],
    locate(scanned, at) {
      SIGNATURE.lastIndex = at;
      if (/[A-Za-z0-9]/.test(scanned.characterBefore(at)) || !SIGNATURE.test(scanned.text)) return undefined;
      const end = SIGNATURE.lastIndex;
      const around = scanned.text
        .slice(Math.max(0, at - SAS_LENGTH), end + SAS_LENGTH)
        .replaceAll('&amp;', '&');
      return SAS_FIELD.test(around) ? { start: at + 'sig='.length, end } : undefined;
    },
  },
  expression('freemius-key', ['secret_key'], /secret_key["']\s{0,8}=>\s{0,8}["'](sk_[^\s"']{29})(?=["'])/y, {
    notAfter: NOTHING,
  }),
  expression(
    'sidekiq-key',
    ['__CONTRIBSYS__COM'],
    /__CONTRIBSYS__COM["']?\s{0,8}[:=]\s{0,8}["']?([a-f0-9]{8}:[a-f0-9]{8})(?![a-f0-9])/y,
    { notAfter: NOTHING },
  ),
  near(
    /mailgun/i,
    expression('mailgun-key', ['key-'], /(?:pub)?key-[a-f0-9]{32}/y, {
      ...usual,
      backs: [0, 3],
      follow: { set: HEX, length: 32 },
    }),
  ),
  near(
    /lob/i,
    expression('lob-key', ['live_', 'test_'], /(?:live|test)_[a-f0-9]{35}/y, {
      ...usual,
      follow: { set: HEX, length: 35 },
    }),
  ),
  near(
    /gocardless/i,
    expression('gocardless-token', ['live_'], /live_[\w=-]{40}/y, {
      ...usual,
      follow: { set: BASE64URL, length: 30 },
    }),
  ),
  near(
    /beamer/i,
    expression('beamer-token', ['b_'], /b_[\w=-]{44}/y, { ...usual, follow: { set: BASE64URL, length: 32 } }),
  ),
  near(
    /yandex/i,
    expression('yandex-key', ['YC'], /YC[\w-]{38}/y, { ...usual, follow: { set: BASE64URL, length: 32 } }),
  ),
];

/** The base64 of 32 bytes, plain or percent-encoded. */
const SIGNATURE = /sig=[A-Za-z0-9%+/]{43,90}(?:%3[Dd]|=)/y;
