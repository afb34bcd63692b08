/** The active shares of a workspace, as its owners and its other members see them. */
import {
  bindProject,
  bodyOf,
  createFakeClock,
  makeOwner,
  shareOf,
  startTeamServer,
  syncReport,
  type DeviceActor,
  type SessionActor,
  type TeamServer,
} from '@svc/testkit';
import { beforeEach, afterEach, describe, expect, test } from 'vitest';

const HOUR_MS = 3_600_000;
let clock: ReturnType<typeof createFakeClock>;
let server: TeamServer;

beforeEach(async () => {
  clock = createFakeClock();
  server = await startTeamServer(clock);
});
afterEach(() => server.close());

const listed = async (by: Pick<SessionActor, 'api'>, id = server.team) =>
  bodyOf(await by.api.listWorkspaceShares({ params: { id } })).shares;

const idsSeenBy = async (by: Pick<SessionActor, 'api'>) => (await listed(by)).map(({ id }) => id);

async function newReport(device: DeviceActor = server.device): Promise<string> {
  const project = await bindProject(server.owner, server.team);
  return (await syncReport(device, { project })).reportId;
}

describe('the shares of a workspace', () => {
  test('[D16] have label, report, owner, mode, expiry and last view, and not their policy', async () => {
    const reportId = await newReport();
    const expiresAt = new Date(clock.now() + HOUR_MS).toISOString();
    const { shareId, slug } = await shareOf(server.owner, reportId, {
      label: 'For the customer',
      expiresAt,
      password: 'a word for guests',
    });
    const link = {
      id: shareId,
      reportId,
      projectName: 'repository',
      ownerId: server.owner.user.userId,
      ownerName: server.owner.user.displayName,
      label: 'For the customer',
      mode: 'anyone_with_link',
      hasPassword: true,
      anonymousAllowed: true,
      createdAt: new Date(clock.now()).toISOString(),
      expiresAt,
      viewCount: 0,
      lastViewedAt: null,
    };
    expect(await listed(server.owner)).toEqual([link]);
    clock.advance(60_000);
    const password = { 'x-svc-share-password': 'a word for guests' };
    await server.anonymous.fetch(`/api/v1/shares/slug/${slug}/report`, { headers: password });
    const lastViewedAt = new Date(clock.now()).toISOString();
    expect(await listed(server.owner)).toEqual([{ ...link, viewCount: 1, lastViewedAt }]);
  });

  test('[D16] are active: not revoked, not expired, of current reports', async () => {
    const [kept, ended] = [await newReport(), await newReport()];
    const lasting = await shareOf(server.owner, kept);
    const revoked = await shareOf(server.owner, kept);
    const short = await shareOf(server.owner, kept, {
      expiresAt: new Date(clock.now() + HOUR_MS).toISOString(),
    });
    const ofEnded = await shareOf(server.owner, ended);
    const all = [lasting, revoked, short, ofEnded].map(({ shareId }) => shareId);
    expect((await idsSeenBy(server.owner)).toSorted()).toEqual(all.toSorted());
    bodyOf(
      await server.owner.api.revokeShare({ params: { shareId: revoked.shareId }, query: { reportId: kept } }),
    );
    bodyOf(await server.owner.api.deleteReport({ params: { id: ended } }));
    expect(await idsSeenBy(server.owner)).toEqual(expect.arrayContaining([lasting.shareId, short.shareId]));
    clock.advance(HOUR_MS);
    expect(await idsSeenBy(server.owner)).toEqual([lasting.shareId]);
  });

  test('[D16] are all visible to owners, and to a member only those of their own reports', async () => {
    const own = await newReport(await server.linkDevice(server.member));
    const members = await shareOf(server.member, own);
    clock.advance(1);
    const owners = await shareOf(server.owner, await newReport());
    expect(await idsSeenBy(server.member)).toEqual([members.shareId]);
    expect(await idsSeenBy(server.owner)).toEqual([members.shareId, owners.shareId]);
    await makeOwner(server.owner, server.team, server.member);
    expect(await idsSeenBy(server.member)).toEqual([members.shareId, owners.shareId]);
  });

  test('[D17] of others are not visible to an administrator, even as an owner of the workspace', async () => {
    await shareOf(server.owner, await newReport());
    await makeOwner(server.owner, server.team, server.operator);
    expect(await idsSeenBy(server.operator)).toEqual([]);
  });

  test('[D16] exclude those of other workspaces', async () => {
    await shareOf(server.owner, await newReport());
    const [personal] = bodyOf(await server.owner.api.listWorkspaces()).workspaces;
    expect(await listed(server.owner, personal?.workspaceId)).toEqual([]);
  });
});
