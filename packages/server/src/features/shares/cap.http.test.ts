/** How many links to a report may work at once. */
import {
  bodyOf,
  codeOf,
  createFakeClock,
  createShell,
  shareOf,
  startServer,
  type SessionActor,
  type TestServer,
} from '@svc/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const HOUR_MS = 3_600_000;
const CAP = 5;
const clock = createFakeClock();
let server: TestServer;
let owner: SessionActor;

beforeAll(async () => {
  server = await startServer({ clock });
});
afterAll(() => server.close());

async function newReport(): Promise<string> {
  owner = await server.signUp();
  return (await createShell(await server.linkDevice(owner))).reportId;
}

const create = (id: string, given: object = {}) =>
  owner.api.createShare({ params: { id }, body: { defaultPolicy: { version: 1 }, ...given } });
const inAnHour = () => new Date(clock.now() + HOUR_MS).toISOString();

describe('the number of links that work', () => {
  test('[T14] of fifty that are asked for at once exactly five are made', async () => {
    const id = await newReport();
    const answers = await Promise.all(Array.from({ length: 50 }, () => create(id)));
    expect(answers.filter(({ ok }) => ok)).toHaveLength(CAP);
    expect(new Set(answers.filter(({ ok }) => !ok).map(codeOf))).toEqual(new Set(['CONFLICT']));
    expect(bodyOf(await owner.api.listShares({ params: { id } })).shares).toHaveLength(CAP);
  });

  test('[T14] with a password, which takes its time, it is the same', async () => {
    const id = await newReport();
    const answers = await Promise.all(
      Array.from({ length: 12 }, () => create(id, { password: 'a word for guests' })),
    );
    expect(answers.filter(({ ok }) => ok)).toHaveLength(CAP);
  });

  test('[T14] changes and ends that come at once with them make no room for more', async () => {
    const id = await newReport();
    const made = await Promise.all(Array.from({ length: CAP }, () => shareOf(owner, id)));
    await Promise.all([
      ...made.map(({ shareId }) =>
        owner.api.changeShare({ params: { shareId }, body: { reportId: id, expiresAt: inAnHour() } }),
      ),
      owner.api.revokeShare({ params: { shareId: made[0]!.shareId }, query: { reportId: id } }),
      ...Array.from({ length: 10 }, () => create(id)),
    ]);
    const { shares } = bodyOf(await owner.api.listShares({ params: { id } }));
    expect(shares.filter(({ revokedAt }) => revokedAt === null).length).toBeLessThanOrEqual(CAP);
  });

  test('[D10] those that were revoked or have expired do not count', async () => {
    const id = await newReport();
    const [first] = await Promise.all(Array.from({ length: CAP - 1 }, () => shareOf(owner, id)));
    await shareOf(owner, id, { expiresAt: inAnHour() });
    expect(codeOf(await create(id))).toBe('CONFLICT');
    bodyOf(await owner.api.revokeShare({ params: { shareId: first!.shareId }, query: { reportId: id } }));
    expect([codeOf(await create(id)), codeOf(await create(id))]).toEqual(['ok', 'CONFLICT']);
    clock.advance(HOUR_MS);
    expect([codeOf(await create(id)), codeOf(await create(id))]).toEqual(['ok', 'CONFLICT']);
  });

  test('[D5] is that of the plan of the workspace, and each report has it for itself', async () => {
    const [one, owners] = [await newReport(), owner];
    await Promise.all(Array.from({ length: CAP }, () => shareOf(owner, one)));
    const other = await createShell(await server.linkDevice(owners));
    expect(codeOf(await create(other.reportId))).toBe('ok');
    await server.service.database.read
      .updateTable('workspaces')
      .set({ plan: 'pro' })
      .where('id', '=', other.workspaceId)
      .execute();
    const answers = await Promise.all(Array.from({ length: 25 }, () => create(one)));
    expect(answers.filter(({ ok }) => ok)).toHaveLength(20);
  });

  test('[D5] after a downgrade links stay, and new ones meet the smaller number', async () => {
    const id = await newReport();
    const [workspace] = bodyOf(await owner.api.listWorkspaces()).workspaces;
    const setPlan = (plan: 'pro' | 'free') =>
      server.service.database.read
        .updateTable('workspaces')
        .set({ plan })
        .where('id', '=', workspace?.workspaceId ?? '')
        .execute();
    await setPlan('pro');
    const made = await Promise.all(Array.from({ length: CAP + 1 }, () => shareOf(owner, id)));
    await setPlan('free');
    expect(codeOf(await create(id))).toBe('CONFLICT');
    for (const { slug } of made)
      expect(codeOf(await server.anonymous.api.readShare({ params: { slug } }))).toBe('ok');
  });
});

describe('what the links to a report may take together', () => {
  const long = {
    version: 1,
    findings: {
      mode: 'deny_listed',
      ids: Array.from({ length: 9500 }, (_, at) => `${at}`.padStart(90, 'x')),
    },
  } as const;
  const list = async (id: string) => bodyOf(await owner.api.listShares({ params: { id } })).shares;

  test('[T14] links that were revoked make room, the oldest first, however many there were', async () => {
    const id = await newReport();
    const made: string[] = [];
    for (let count = 0; count < 7; count += 1) {
      const { shareId, slug } = await shareOf(owner, id, { defaultPolicy: long });
      made.push(shareId);
      clock.advance(1);
      bodyOf(await owner.api.revokeShare({ params: { shareId }, query: { reportId: id } }));
      expect(codeOf(await server.anonymous.api.readShare({ params: { slug } }))).toBe('SHARE_NOT_AVAILABLE');
    }
    expect((await list(id)).map((share) => share.id)).toEqual(made.slice(-4));
  });

  test('[T14] links that work stay within it, made and changed, and a link that is refused leaves no trace', async () => {
    const id = await newReport();
    const first = await shareOf(owner, id, { defaultPolicy: long });
    for (let count = 1; count < 4; count += 1) await shareOf(owner, id, { defaultPolicy: long });
    expect(codeOf(await create(id, { defaultPolicy: long }))).toBe('CONFLICT');
    clock.advance(1);
    const small = await shareOf(owner, id);
    const named = [{ principalValue: owner.user.userId, policy: long }];
    for (const change of [{ defaultPolicy: long }, { principals: named }])
      expect(
        codeOf(
          await owner.api.changeShare({
            params: { shareId: small.shareId },
            body: { reportId: id, ...change },
          }),
        ),
      ).toBe('CONFLICT');
    expect((await list(id)).at(-1)).toMatchObject({ id: small.shareId, principals: [] });
    bodyOf(
      await owner.api.changeShare({
        params: { shareId: first.shareId },
        body: { reportId: id, defaultPolicy: { version: 1 } },
      }),
    );
    bodyOf(
      await owner.api.changeShare({
        params: { shareId: small.shareId },
        body: { reportId: id, principals: named },
      }),
    );
  });
});
