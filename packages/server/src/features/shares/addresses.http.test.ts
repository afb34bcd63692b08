/**
 * Which account an email address in a share stands for. Addresses are not verified, so an address must never pass to
 * another account.
 */
import { bodyOf, codeOf, createShell, shareOf, wholePolicy, type SessionActor } from '@svc/testkit';
import { sharedServer } from '@svc/testkit/suite';
import { beforeAll, describe, expect, test } from 'vitest';

let owner: SessionActor;
let reportId: string;
let addresses = 0;

const server = sharedServer({ generousPlans: true });

beforeAll(async () => {
  owner = await server.signUp();
  ({ reportId } = await createShell(await server.linkDevice(owner)));
});

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

describe('[D10] an address that a share names', () => {
  test('stands for the account that has it', async () => {
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
    'does not pass to another account when its account is deleted (named %s the sign-up)',
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

  test('keeps its account when the list is replaced, and is looked up again after it was removed', async () => {
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

  test('keeps waiting when the list is replaced before anyone has signed up', async () => {
    const email = newAddress();
    const { shareId, slug } = await linkFor(email);
    bodyOf(await rename(shareId, [principal(email, 'Again')]));
    const guest = await server.signUp({ email });
    expect(await opens(guest, slug)).toBe('ok');
  });

  test('stands for one account in all shares that name it, and never for an account with another address', async () => {
    const [email, other] = [newAddress(), newAddress()];
    const links = [await linkFor(email, other), await linkFor(email)];
    const guest = await server.signUp({ email });
    for (const { slug } of links) expect(await opens(guest, slug)).toBe('ok');
    expect(await opens(await server.signUp({ email: other }), links[1]!.slug)).toBe('SHARE_NOT_AVAILABLE');
  });

  test('finds its account when it is named during the sign-up', async () => {
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
