/** Whom an address stands for that a link names. Addresses are not verified, so it must never come to stand for another. */
import {
  bodyOf,
  codeOf,
  createShell,
  shareOf,
  startServer,
  wholePolicy,
  type SessionActor,
  type TestServer,
} from '@svc/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

let server: TestServer;
let owner: SessionActor;
let reportId: string;
let addresses = 0;

beforeAll(async () => {
  server = await startServer({ generousPlans: true });
  owner = await server.signUp();
  ({ reportId } = await createShell(await server.linkDevice(owner)));
});
afterAll(() => server.close());

function newAddress(): string {
  addresses += 1;
  return `guest-${addresses}@example.test`;
}

const principal = (principalValue: string, label?: string) => ({
  principalValue,
  policy: wholePolicy,
  ...(label === undefined ? {} : { label }),
});

const linkFor = (...emails: string[]) =>
  shareOf(owner, reportId, {
    mode: 'private',
    anonymousAllowed: false,
    principals: emails.map((email) => principal(email)),
  });

const opens = async (by: SessionActor, slug: string) => codeOf(await by.api.readShare({ params: { slug } }));

async function leave({ api, password }: SessionActor): Promise<void> {
  bodyOf(await api.deleteAccount({ body: { password } }));
}

const rename = (shareId: string, principals: readonly ReturnType<typeof principal>[]) =>
  owner.api.changeShare({ params: { shareId }, body: { reportId, principals: [...principals] } });

describe('[D10] an address that a link names', () => {
  test('stands for the account that holds it', async () => {
    const email = newAddress();
    const guest = await server.signUp({ email });
    const { slug } = await linkFor(email.toUpperCase());
    expect(await opens(guest, slug)).toBe('ok');
  });

  test('stands for the first account that signs up with it', async () => {
    const email = newAddress();
    const { slug } = await linkFor(email);
    const guest = await server.signUp({ email: ` ${email.toUpperCase()}` });
    expect(await opens(guest, slug)).toBe('ok');
  });

  test.each(['before', 'after'])(
    'does not pass on when that account is deleted (named %s it signed up)',
    async (when) => {
      const email = newAddress();
      const early = when === 'before' ? await linkFor(email) : null;
      const guest = await server.signUp({ email });
      const { slug } = early ?? (await linkFor(email));
      await leave(guest);
      const namesake = await server.signUp({ email });
      expect(await opens(namesake, slug)).toBe('SHARE_NOT_AVAILABLE');
    },
  );

  test('keeps what it stands for when the list is replaced, and is newly looked up when it was away', async () => {
    const email = newAddress();
    const guest = await server.signUp({ email });
    const { shareId, slug } = await linkFor(email);
    await leave(guest);
    const namesake = await server.signUp({ email });
    bodyOf(await rename(shareId, [principal(newAddress()), principal(email, 'Again')]));
    expect(await opens(namesake, slug)).toBe('SHARE_NOT_AVAILABLE');
    bodyOf(await rename(shareId, []));
    bodyOf(await rename(shareId, [principal(email)]));
    expect(await opens(namesake, slug)).toBe('ok');
  });

  test('waits on when the list is replaced before anybody has signed up', async () => {
    const email = newAddress();
    const { shareId, slug } = await linkFor(email);
    bodyOf(await rename(shareId, [principal(email, 'Again')]));
    const guest = await server.signUp({ email });
    expect(await opens(guest, slug)).toBe('ok');
  });

  test('means one account in all links that name it, and no other address', async () => {
    const [email, other] = [newAddress(), newAddress()];
    const links = [await linkFor(email, other), await linkFor(email)];
    const guest = await server.signUp({ email });
    for (const { slug } of links) expect(await opens(guest, slug)).toBe('ok');
    expect(await opens(await server.signUp({ email: other }), links[1]!.slug)).toBe('SHARE_NOT_AVAILABLE');
  });

  test('finds its account when it is named in the moment of the sign-up', async () => {
    for (let round = 0; round < 15; round += 1) {
      const email = newAddress();
      const [guest, ...links] = await Promise.all([
        server.signUp({ email }),
        ...Array.from({ length: 8 }, () => linkFor(email)),
      ]);
      const { shareId, slug } = links[round % links.length]!;
      for (const link of links) expect(await opens(guest, link.slug)).toBe('ok');
      const pinned = await server.service.database.read
        .selectFrom('sharePrincipals')
        .select('userId')
        .where('shareId', '=', shareId)
        .execute();
      expect([slug.length, pinned]).toEqual([27, [{ userId: guest.user.userId }]]);
    }
  });
});
