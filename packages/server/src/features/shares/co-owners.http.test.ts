/** Owners of a team workspace share its reports as the owner of the report does. */
import {
  bindProject,
  bodyOf,
  codeOf,
  createShell,
  createTeam,
  joinTeam,
  setRole,
  shareOf,
  syncReport,
  wholePolicy,
  type SessionActor,
} from '@svc/testkit';
import { sharedServer } from '@svc/testkit/suite';
import { beforeAll, describe, expect, test } from 'vitest';

const ADMIN = 'admin@example.test';
const server = sharedServer({ generousPlans: true, config: { platformAdminEmail: ADMIN } });
let lead: SessionActor;
let maker: SessionActor;
let member: SessionActor;
let workspaceId: string;
let reportId: string;

beforeAll(async () => {
  lead = await server.signUp();
  maker = await server.signUp();
  member = await server.signUp();
  workspaceId = await createTeam(lead, [maker, member]);
  const project = await bindProject(maker, workspaceId);
  ({ reportId } = await syncReport(await server.linkDevice(maker), { project }));
});

const preview = (by: SessionActor, of = reportId) =>
  by.api.previewProjection({
    params: { id: of },
    body: { policy: wholePolicy, principalType: 'anonymous' },
  });

async function codesOf(by: SessionActor): Promise<string[]> {
  const { shareId } = await shareOf(maker, reportId);
  const params = { shareId };
  return [
    codeOf(await by.api.listShares({ params: { id: reportId } })),
    codeOf(await by.api.createShare({ params: { id: reportId }, body: { defaultPolicy: wholePolicy } })),
    codeOf(await preview(by)),
    codeOf(await by.api.changeShare({ params, body: { reportId, label: 'Kim' } })),
    codeOf(await by.api.revokeShare({ params, query: { reportId } })),
  ];
}

describe('an owner of the team workspace', () => {
  test('[D25] lists, creates, previews, changes and revokes shares of reports of others', async () => {
    const { shareId, slug } = await shareOf(lead, reportId, { showSender: true });
    const listed = bodyOf(await maker.api.listShares({ params: { id: reportId } })).shares;
    expect(listed.find(({ id }) => id === shareId)?.createdBy).toEqual({
      userId: lead.user.userId,
      displayName: lead.user.displayName,
    });
    const shown = bodyOf(await server.anonymous.api.readShare({ params: { slug }, query: { cover: '1' } }));
    expect(shown.share?.sender).toBe(lead.user.displayName);
    expect(await codesOf(lead)).toEqual(Array.from({ length: 5 }, () => 'ok'));
    expect((await preview(lead)).ok).toBe(true);
  });

  test('[D25] who becomes a member is denied, and so is every other member', async () => {
    const passing = await server.signUp();
    await joinTeam(lead, workspaceId, passing, 'owner');
    expect((await preview(passing)).ok).toBe(true);
    bodyOf(await setRole(lead, workspaceId, passing, 'member'));
    const denied = Array.from({ length: 5 }, () => 'FORBIDDEN');
    expect(await codesOf(passing)).toEqual(denied);
    expect(await codesOf(member)).toEqual(denied);
  });

  test('[D17] who is the platform administrator, or a stranger, learns nothing', async () => {
    const unknown = Array.from({ length: 5 }, () => 'NOT_FOUND');
    const administrator = await server.signUp({ email: ADMIN });
    await joinTeam(lead, workspaceId, administrator, 'owner');
    expect(await codesOf(administrator)).toEqual(unknown);
    expect(await codesOf(await server.signUp())).toEqual(unknown);
  });

  test('[D25] is replaced as the creator by the owner of the report once the account is deleted', async () => {
    const leaving = await server.signUp();
    await joinTeam(lead, workspaceId, leaving, 'owner');
    const { shareId, slug } = await shareOf(leaving, reportId, { showSender: true });
    bodyOf(await leaving.api.deleteAccount({ body: { password: leaving.password } }));
    const listed = bodyOf(await maker.api.listShares({ params: { id: reportId } })).shares;
    expect(listed.find(({ id }) => id === shareId)?.createdBy.userId).toBe(maker.user.userId);
    const shown = bodyOf(await server.anonymous.api.readShare({ params: { slug }, query: { cover: '1' } }));
    expect(shown.share?.sender).toBeNull();
  });

  test('[D25] has no such right in the personal workspace of someone else', async () => {
    const shell = await createShell(await server.linkDevice(maker));
    expect(codeOf(await preview(lead, shell.reportId))).toBe('NOT_FOUND');
  });
});
