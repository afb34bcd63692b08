import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { findWithLibrary } from '../../test/library.ts';
import { characters, deviceToken, secretSamples } from '../../test/secret-samples.ts';
import { findSecrets, hasSecret } from './secrets.ts';

const found = (text: string) => findSecrets(text).map(({ start, end }) => text.slice(start, end));

/** Contexts of a secret. */
const surroundings: Readonly<Record<string, (text: string) => string>> = {
  alone: (text) => text,
  'in prose': (text) => `The build prints ${text} when it fails.`,
  'at the end of a sentence': (text) => `It is ${text}, or was; see above.`,
  'in brackets': (text) => `(${text})`,
  'in Markdown': (text) => `**Found** \`${text}\` in the log`,
  'in a value of JSON': (text) => JSON.stringify({ value: text, next: 1 }),
  'in code': (text) => `const value = '${text}';\nuse(value);\n`,
  'in an assignment': (text) => `export VALUE="${text}"\r\nexport OTHER=1`,
  'in XML': (text) => `<value>${text}</value>`,
  'after a number': (text) => `12: ${text}`,
  'after a letter beyond ASCII': (text) => `clé ${text} é`,
  'after an emoji': (text) => `\u{1f511}${text}\u{1f511}`,
  'in another line': (text) => `first line\n${text}\nlast line`,
};

/** Some formats contain a quote, a line end or an equals sign, which some contexts escape. */
const isEscaped = (text: string, surrounded: string) => !surrounded.includes(text);

describe('secrets of every format', () => {
  test('[D8] have samples of more than fifty formats, each with a distinct name', () => {
    expect(new Set(secretSamples.map(({ name }) => name)).size).toBe(secretSamples.length);
    expect(secretSamples.length).toBeGreaterThan(50);
  });

  test.each(secretSamples)(
    '[D8] $name is found in any context, to its last character',
    ({ text, secret, kind }) => {
      for (const [where, surround] of Object.entries(surroundings)) {
        const surrounded = surround(text);
        if (isEscaped(text, surrounded)) continue;
        const matches = findSecrets(surrounded);
        const covered = matches.map(({ start, end }) => surrounded.slice(start, end)).join('');
        expect({
          where,
          kinds: matches.map((match) => match.kind),
          covered,
          any: hasSecret(surrounded),
        }).toEqual({
          where,
          kinds: expect.arrayContaining([kind]),
          covered: expect.stringContaining(secret),
          any: true,
        });
      }
    },
  );

  test.each(secretSamples.filter(({ onlyOurs }) => onlyOurs === undefined))(
    '[D8] $name is also found by the library',
    async ({ text, fileName }) => {
      expect(await findWithLibrary(text, fileName)).not.toEqual([]);
    },
  );

  test('[D8] in a row are found separately', () => {
    const tokens = [deviceToken(1), deviceToken(2)];
    expect(found(tokens.join(','))).toEqual(tokens);
    expect(found(tokens.join(''))).toEqual(tokens);
  });

  test('[D8] within another are found as one', () => {
    const token = `ghp_${characters('abc123', 36)}`;
    expect(found(`https://${token}:x-oauth-basic@github.com/`)).toEqual([`${token}:x-oauth-basic`]);
  });

  test('[D8] are found despite a comment that disables the search', () => {
    const token = deviceToken();
    expect(found(`// secretlint-disable\n${token} // secretlint-disable-line`)).toEqual([token]);
  });
});

describe('texts that are not secrets', () => {
  const hex = (length: number) => characters('0123456789abcdef', length);
  const base64 = (length: number) =>
    characters('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/', length);
  test.each<[string, string]>([
    ['an MD5', hex(32)],
    ['a commit', hex(40)],
    ['a SHA-256', hex(64)],
    ['a SHA-512', hex(128)],
    ['a SHA-256 with its name', `sha256:${hex(64)}`],
    ['a UUID', '123e4567-e89b-12d3-a456-426614174000'],
    ['the integrity of a lock file', `"integrity": "sha512-${base64(86)}=="`],
    ['an image in base64', `data:image/png;base64,iVBORw0KGgo${base64(4000)}`],
    ['a certificate', `-----BEGIN CERTIFICATE-----\nMI${base64(600)}\n-----END CERTIFICATE-----`],
    ['a public key', `-----BEGIN PUBLIC KEY-----\nMI${base64(300)}\n-----END PUBLIC KEY-----`],
    ['a private key left out', '-----BEGIN PRIVATE KEY-----\n...\n-----END PRIVATE KEY-----'],
    ['text in the shape of a JSON Web Token', `eyJ${base64(40)}.eyJ${base64(80)}.${base64(43)}`],
    ['a URL with a port', 'https://example.com:8080/a@b'],
    ['a URL with a variable', 'postgres://app:${PASSWORD}@db/app'],
    ['a URL of an example', 'https://user:password@example.com/'],
    ['a URL of a local database', 'postgres://postgres:postgres@localhost/app'],
    ['the key id in AWS’s documentation', ['AKIA', 'IOSFODNN7', 'EXAMPLE'].join('')],
    ['a device token whose checksum is wrong', `svc_dev_${characters('aB3', 46)}`],
    ['a prefix', 'tokens that begin with ghp_, glpat- or npm_ and keys such as AKIA'],
    ['a variable of npm', '//registry.example.test/:_authToken=${NPM_TOKEN}'],
    ['a token that is too short', `ghp_${hex(20)}`],
    ['a token that is too long', `ghp_${hex(37)}`],
    ['a token within a word', `xghp_${hex(36)}`],
  ])('[D8] include %s', (_name, text) => {
    expect(found(text)).toEqual([]);
    expect(hasSecret(text)).toBe(false);
  });

  test('[D8] include hexadecimal text of any length', () => {
    fc.assert(
      fc.property(
        fc.array(fc.uint8Array({ maxLength: 65 }).map((bytes) => Buffer.from(bytes).toString('hex'))),
        (hashes) => {
          expect(found(hashes.join(' '))).toEqual([]);
        },
      ),
    );
  });
});

describe('compared with the library', () => {
  /** Formats in which our search finds more: further variants, passwords for any scheme and host, truncated keys. */
  const findsMore = new Set([
    'sendgrid-key',
    'private-key',
    'aws-secret-access-key',
    'basic-auth',
    'database-credentials',
    'url-password',
    'slack-token',
    'slack-webhook',
    'stripe-key',
    'anthropic-key',
    'gitlab-token',
    'grafana-token',
  ]);
  /** Excludes formats that the library finds only in files with a certain name. */
  const comparable = secretSamples.filter(
    ({ onlyOurs, fileName }) => onlyOurs === undefined && fileName === undefined,
  );
  const edges = [
    '',
    ' ',
    '"',
    "'",
    '`',
    ',',
    ';',
    '.',
    ':',
    '/',
    '=',
    '-',
    '_',
    '(',
    ')',
    '\n',
    '\\',
    'x',
    'Z',
    '7',
    'é',
  ];

  const spoiled = fc
    .record({
      sample: fc.constantFrom(...comparable),
      before: fc.constantFrom(...edges),
      after: fc.constantFrom(...edges),
      at: fc.nat(),
      cut: fc.nat({ max: 2 }),
      added: fc.constantFrom(...edges),
    })
    .map(({ sample, before, after, at, cut, added }) => {
      const place = at % (sample.text.length + 1);
      const text = sample.text.slice(0, place) + added + sample.text.slice(place + cut);
      return before + text + after;
    });

  test('[D8] the search agrees with the library on slightly changed secrets, or finds more in known formats', async () => {
    await fc.assert(
      fc.asyncProperty(spoiled, async (text) => {
        const theirs = await findWithLibrary(text);
        const ours = findSecrets(text);
        const isMore = ours.length > 0 && ours.every(({ kind }) => findsMore.has(kind));
        expect(ours.length > 0).toBe(theirs.length > 0 || isMore);
      }),
    );
  });
});
