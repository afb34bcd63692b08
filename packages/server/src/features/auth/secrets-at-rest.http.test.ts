/** What a thief of the disk, of a database dump or of the log does not find: any secret as its holder has it. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { bodyOf, postgresUrl, startServer, type TestServer } from '@svc/testkit';
import { describe, expect, test } from 'vitest';

const PASSWORDS = [
  'first password in the clear',
  'second password in the clear',
  'third password in the clear',
] as const;

interface Secrets {
  readonly email: string;
  readonly secrets: Readonly<Record<string, string>>;
}

/** Lives through everything that makes a secret, and says which there were. */
async function live(server: TestServer): Promise<Secrets> {
  const person = await server.signUp({ password: PASSWORDS[0] });
  const device = await server.linkDevice(person);
  const pending = await server.beginLink();
  const team = bodyOf(await person.api.createWorkspace({ body: { name: 'Team' } })).workspaceId;
  const { url } = bodyOf(await person.api.createInvitation({ params: { id: team } }));
  bodyOf(await person.api.changePassword({ body: { password: PASSWORDS[0], newPassword: PASSWORDS[1] } }));
  const { recoveryCode } = bodyOf(await person.api.replaceRecoveryCode({ body: { password: PASSWORDS[1] } }));
  const recovered = bodyOf(
    await server.anonymous.api.recover({
      body: { email: person.email, recoveryCode, newPassword: PASSWORDS[2] },
    }),
  );
  return {
    email: person.email,
    secrets: {
      sessionToken: person.cookie.replace('svc_session=', ''),
      firstPassword: PASSWORDS[0],
      secondPassword: PASSWORDS[1],
      thirdPassword: PASSWORDS[2],
      firstCode: person.recoveryCode,
      secondCode: recoveryCode,
      thirdCode: recovered.recoveryCode,
      deviceToken: device.deviceToken,
      deviceTokenWithoutPrefix: device.deviceToken.slice('svc_dev_'.length, -6),
      requestId: pending.publicRequestId,
      verifier: pending.verifier,
      invitation: url.split('/').at(-1) ?? '',
    },
  };
}

/** Which of the secrets a text holds, in any spelling in which they are accepted or could be kept. */
function found(text: string, { secrets }: Secrets): string[] {
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

function filesUnder(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

describe('secrets at rest', () => {
  test.skipIf(postgresUrl !== undefined)(
    '[T5] no file of the data folder holds one, nor does the write-ahead log (SQLite only)',
    async () => {
      await using server = await startServer({ costlyHashing: true });
      const lived = await live(server);
      const files = filesUnder(server.dataDir);
      expect(files.some((file) => file.endsWith('svc.db-wal') && readFileSync(file).length > 0)).toBe(true);
      const contents = files.map((file) => ({ file, text: readFileSync(file).toString('latin1') }));
      expect(
        contents.filter(({ text }) => text.includes(lived.email)).length,
        'the search can find',
      ).toBeGreaterThan(0);
      expect(contents.flatMap(({ file, text }) => found(text, lived).map((name) => [file, name]))).toEqual(
        [],
      );
    },
  );

  test('[T5] no column of any table holds one', async () => {
    await using server = await startServer({ costlyHashing: true });
    const lived = await live(server);
    const db = server.service.database.read;
    const tables = await db.introspection.getTables();
    const texts: string[] = [];
    for (const { name } of tables) {
      const rows = await db
        .selectFrom(name as 'users')
        .selectAll()
        .execute();
      for (const row of rows) texts.push(...Object.values(row).map(textOf));
    }
    expect(texts, 'the search can find').toContain(lived.email);
    expect(found(texts.join('\n'), lived)).toEqual([]);
  });

  test('[T22] no line of the log holds one, nor the address of the account', async () => {
    await using server = await startServer({ costlyHashing: true });
    const lived = await live(server);
    await server.anonymous.fetch(`/link/${lived.secrets['requestId']}`);
    await server.anonymous.fetch(`/api/v1/device-links/${lived.secrets['requestId']}/unknown`);
    await server.anonymous.fetch(
      `/invitations/${lived.secrets['invitation']}?token=${lived.secrets['sessionToken']}`,
    );
    const log = server.logLines.join('');
    expect(log, 'there is a log').toContain('/api/v1/auth/signup');
    expect(found(log, lived)).toEqual([]);
    expect(log).not.toContain(lived.email);
  });

  test('[D1] passwords and recovery codes are kept as argon2id with 19 MiB, two passes and one lane', async () => {
    await using server = await startServer({ costlyHashing: true });
    await server.signUp();
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

function textOf(value: unknown): string {
  return value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : String(value);
}
