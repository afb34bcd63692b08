/** How many shares of a report may be active at the same time. */
import {
  bodyOf,
  codeOf,
  createFakeClock,
  createShell,
  reportRow,
  setPlan,
  shareOf,
  type SessionActor,
} from '@svc/testkit';
import { sharedServer } from '@svc/testkit/suite';
import { describe, expect, test } from 'vitest';

const HOUR_MS = 3_600_000;
const CAP = 5;
const clock = createFakeClock();
let owner: SessionActor;

const server = sharedServer({ clock });

async function newReport(): Promise<string> {
  owner = await server.signUp();
  return (await createShell(await server.linkDevice(owner))).reportId;
}

const create = (id: string, given: object = {}) =>
  owner.api.createShare({ params: { id }, body: { defaultPolicy: { version: 1 }, ...given } });
const inAnHour = () => new Date(clock.now() + HOUR_MS).toISOString();

describe('the number of active shares', () => {
  test('[T14] is five after fifty simultaneous creations', async () => {
    const id = await newReport();
    const answers = await Promise.all(Array.from({ length: 50 }, () => create(id)));
    expect(answers.filter(({ ok }) => ok)).toHaveLength(CAP);
    expect(new Set(answers.filter(({ ok }) => !ok).map(codeOf))).toEqual(new Set(['CONFLICT']));
    expect(bodyOf(await owner.api.listShares({ params: { id } })).shares).toHaveLength(CAP);
  });

  test('[T14] is the same with a password, whose hash takes time', async () => {
    const id = await newReport();
    const answers = await Promise.all(
      Array.from({ length: 12 }, () => create(id, { password: 'a word for guests' })),
    );
    expect(answers.filter(({ ok }) => ok)).toHaveLength(CAP);
  });

  test('[T14] stays within its limit during simultaneous changes and revocations', async () => {
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

  test('[D10] does not include revoked or expired shares', async () => {
    const id = await newReport();
    const [first] = await Promise.all(Array.from({ length: CAP - 1 }, () => shareOf(owner, id)));
    await shareOf(owner, id, { expiresAt: inAnHour() });
    expect(codeOf(await create(id))).toBe('CONFLICT');
    bodyOf(await owner.api.revokeShare({ params: { shareId: first!.shareId }, query: { reportId: id } }));
    expect([codeOf(await create(id)), codeOf(await create(id))]).toEqual(['ok', 'CONFLICT']);
    clock.advance(HOUR_MS);
    expect([codeOf(await create(id)), codeOf(await create(id))]).toEqual(['ok', 'CONFLICT']);
  });

  test('[D5] is limited by the workspace’s plan, for each report separately', async () => {
    const [one, owners] = [await newReport(), owner];
    await Promise.all(Array.from({ length: CAP }, () => shareOf(owner, one)));
    const other = await createShell(await server.linkDevice(owners));
    expect(codeOf(await create(other.reportId))).toBe('ok');
    await setPlan(server, other.workspaceId, 'pro');
    const answers = await Promise.all(Array.from({ length: 25 }, () => create(one)));
    expect(answers.filter(({ ok }) => ok)).toHaveLength(20);
  });

  test('[D5] is kept after a downgrade, and new shares are subject to the smaller limit', async () => {
    const id = await newReport();
    const { workspaceId } = await reportRow(server, id);
    await setPlan(server, workspaceId, 'pro');
    const made = await Promise.all(Array.from({ length: CAP + 1 }, () => shareOf(owner, id)));
    await setPlan(server, workspaceId, 'free');
    expect(codeOf(await create(id))).toBe('CONFLICT');
    for (const { slug } of made)
      expect(codeOf(await server.anonymous.api.readShare({ params: { slug } }))).toBe('ok');
  });
});

describe('the size of all shares of a report', () => {
  const long = {
    version: 1,
    findings: {
      mode: 'deny_listed',
      ids: Array.from({ length: 9500 }, (_, at) => `${at}`.padStart(90, 'x')),
    },
  } as const;
  const list = async (id: string) => bodyOf(await owner.api.listShares({ params: { id } })).shares;

  test('[T14] is reduced by deleting revoked shares, the oldest first, however many there were', async () => {
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

  test('[T14] of active shares stays within the limit on creation and change, and a rejected share leaves no trace', async () => {
    const id = await newReport();
    const first = await shareOf(owner, id, { defaultPolicy: long });
    for (let count = 1; count < 4; count += 1) await shareOf(owner, id, { defaultPolicy: long });
    expect(codeOf(await create(id, { defaultPolicy: long }))).toBe('CONFLICT');
    clock.advance(1);
    const small = await shareOf(owner, id);
    const named = [{ principalValue: owner.user.userId, policy: long }];
    const change = ({ shareId }: { shareId: string }, changes: object) =>
      owner.api.changeShare({ params: { shareId }, body: { reportId: id, ...changes } });
    for (const changes of [{ defaultPolicy: long }, { principals: named }])
      expect(codeOf(await change(small, changes))).toBe('CONFLICT');
    expect((await list(id)).at(-1)).toMatchObject({ id: small.shareId, principals: [] });
    bodyOf(await change(first, { defaultPolicy: { version: 1 } }));
    bodyOf(await change(small, { principals: named }));
  });
});
