/** A thief of the disk or of a database dump finds no secret in the form that authenticates. */
import {
  bodyOf,
  columnsOf,
  createTeam,
  contentOf,
  filesIn,
  invitationTo,
  postgresUrl,
  startServer,
  type TestServer,
} from '@svc/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

let server: TestServer;
let email: string;
let secrets: Readonly<Record<string, string>>;

/** Performs every action that creates a secret. */

beforeAll(async () => {
  server = await startServer({ costlyHashing: true });
  const [first, second, third] = [
    'first password of it',
    'second password of it',
    'third password of it',
  ] as const;
  const person = await server.signUp({ password: first });
  ({ email } = person);
  const device = await server.linkDevice(person);
  const pending = await server.beginLink();
  const invitation = await invitationTo(person, await createTeam(person));
  bodyOf(await person.api.changePassword({ body: { password: first, newPassword: second } }));
  const { recoveryCode } = bodyOf(await person.api.replaceRecoveryCode({ body: { password: second } }));
  const recovery = { email, recoveryCode, newPassword: third };
  const recovered = bodyOf(await server.anonymous.api.recover({ body: recovery }));
  secrets = {
    sessionToken: person.cookie.replace('svc_session=', ''),
    firstPassword: first,
    secondPassword: second,
    thirdPassword: third,
    firstCode: person.recoveryCode,
    secondCode: recoveryCode,
    thirdCode: recovered.recoveryCode,
    deviceToken: device.deviceToken,
    deviceTokenWithoutPrefix: device.deviceToken.slice('svc_dev_'.length, -6),
    requestId: pending.publicRequestId,
    verifier: pending.verifier,
    invitation,
  };
});
afterAll(() => server.close());

/** Which of the secrets a text contains in one of their spellings, in any letter case. */
function found(text: string): string[] {
  const folded = text.toLowerCase();
  return Object.entries(secrets)
    .filter(([, secret]) => spellingsOf(secret).some((spelling) => folded.includes(spelling)))
    .map(([name]) => name);
}

function spellingsOf(secret: string): string[] {
  const bytes = Buffer.from(secret);
  return [
    secret,
    secret.replaceAll('-', ''),
    bytes.toString('hex'),
    bytes.toString('base64').replace(/.=*$/, ''),
  ].map((spelling) => spelling.toLowerCase());
}

describe('secrets at rest', () => {
  test.skipIf(postgresUrl !== undefined)(
    '[T5] are in no file of the data folder, and not in the write-ahead log (SQLite only)',
    () => {
      const files = filesIn(server.dataDir);
      expect(files.some((file) => file.endsWith('svc.db-wal') && contentOf(file).length > 0)).toBe(true);
      const contents = files.map((file) => ({ file, text: contentOf(file).toString('latin1') }));
      expect(
        contents.some(({ text }) => text.includes(email)),
        'the search can find',
      ).toBe(true);
      expect(contents.flatMap(({ file, text }) => found(text).map((name) => [file, name]))).toEqual([]);
    },
  );

  test('[T5] are in no column of any table', async () => {
    const texts = await columnsOf(server);
    expect(texts, 'the search can find').toContain(email);
    expect(found(texts.join('\n'))).toEqual([]);
  });

  test('[D1] that are passwords or recovery codes are stored as argon2id with 19 MiB, two passes and one lane', async () => {
    const rows = await server.service.database.read
      .selectFrom('users')
      .select(['passwordHash', 'recoveryCodeHash'])
      .execute();
    for (const hash of Object.values(rows[0] ?? {})) {
      expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22,}\$[A-Za-z0-9+/]{43}$/);
    }
    expect(rows).toHaveLength(1);
  });
});
