import {
  APP_ORIGIN,
  atOnce,
  bodyOf,
  codeOf,
  createFakeClock,
  createTeam,
  invitationTo,
  joinTeam,
  setRole,
  type SessionActor,
} from '@svc/testkit';
import { sharedServer } from '@svc/testkit/suite';
import { inLane } from '@svc/testkit/lane';
import { beforeAll, describe, expect, test } from 'vitest';

/** The number of races. */
const ROUNDS = inLane(3, 10);
const DAY_MS = 24 * 3_600_000;
const clock = createFakeClock();
const server = sharedServer({ clock });
let owner: SessionActor;
let guest: SessionActor;

beforeAll(async () => {
  [owner, guest] = await Promise.all([server.signUp(), server.signUp()]);
});

async function makeTeam(): Promise<string> {
  clock.advance(1000);
  const id = await createTeam(owner);
  // Lists are sorted by age, so time must pass.
  clock.advance(1000);
  return id;
}

const invite = (id: string, by = owner) => invitationTo(by, id);
const accept = (token: string, by = guest) => by.api.acceptInvitation({ params: { token } });
const look = (token: string, by = guest) => by.api.getInvitation({ params: { token } });
const memberIds = async (id: string) =>
  bodyOf(await owner.api.listMembers({ params: { id } })).members.map(({ userId }) => userId);

const open = async (id: string) => bodyOf(await owner.api.listInvitations({ params: { id } })).invitations;
const withdraw = (invitationId: string, by = owner) =>
  by.api.revokeInvitation({ params: { token: invitationId } });

/** Creates an invitation, and returns its id and the token of its link. */
async function invited(id: string) {
  const { url, invitationId } = bodyOf(await owner.api.createInvitation({ params: { id } }));
  return { invitationId, token: url.split('/').at(-1) ?? '' };
}

describe('the open invitations of a workspace', () => {
  test('[D24] are listed oldest first, without accepted, revoked and expired ones', async () => {
    const id = await makeTeam();
    const expiring = await invited(id);
    clock.advance(DAY_MS);
    const [accepted, withdrawn] = [await invited(id), await invited(id)];
    clock.advance(1000);
    const kept = await invited(id);
    bodyOf(await accept(accepted.token));
    bodyOf(await withdraw(withdrawn.invitationId));
    expect((await open(id)).map(({ invitationId }) => invitationId)).toEqual([
      expiring.invitationId,
      kept.invitationId,
    ]);
    const madeAt = clock.now();
    clock.advance(6 * DAY_MS);
    expect(await open(id)).toEqual([
      {
        invitationId: kept.invitationId,
        createdAt: new Date(madeAt).toISOString(),
        expiresAt: new Date(madeAt + 7 * DAY_MS).toISOString(),
        createdBy: { userId: owner.user.userId, displayName: owner.user.displayName },
      },
    ]);
  });

  test('[D24] can be revoked: the link ends, repeating returns the same, and the audit log has one entry', async () => {
    const id = await makeTeam();
    const { invitationId, token } = await invited(id);
    for (const _ of [1, 2])
      expect(bodyOf(await withdraw(invitationId))).toEqual({ invitationId, revoked: true });
    expect(codeOf(await look(token))).toBe('NOT_FOUND');
    expect(codeOf(await accept(token))).toBe('NOT_FOUND');
    const { entries } = bodyOf(await owner.api.listWorkspaceAudit({ params: { id } }));
    expect(entries.filter(({ action }) => action === 'invitation_revoked')).toMatchObject([
      { actorId: owner.user.userId, subjectId: invitationId },
    ]);
  });

  test('[D24] return CONFLICT when revoked after acceptance, and NOT_FOUND after expiry', async () => {
    const id = await makeTeam();
    const [accepted, expired] = [await invited(id), await invited(id)];
    bodyOf(await accept(accepted.token));
    expect(codeOf(await withdraw(accepted.invitationId))).toBe('CONFLICT');
    clock.advance(7 * DAY_MS);
    expect(codeOf(await withdraw(expired.invitationId))).toBe('NOT_FOUND');
  });

  test('[D16] [D24] are for owners: other members may not create, see or revoke them', async () => {
    const id = await makeTeam();
    await joinTeam(owner, id, guest);
    const { invitationId } = await invited(id);
    for (const outcome of [
      await guest.api.createInvitation({ params: { id } }),
      await guest.api.listInvitations({ params: { id } }),
      await withdraw(invitationId, guest),
    ])
      expect(outcome).toMatchObject({ status: 403, error: { code: 'FORBIDDEN' } });
    expect(await open(id)).toHaveLength(1);
  });

  test(
    '[D24] are either accepted or revoked when both happen simultaneously',
    { tags: 'repeated' },
    async () => {
      const id = await makeTeam();
      for (let round = 0; round < ROUNDS; round += 1) {
        const { invitationId, token } = await invited(id);
        const someone = await server.signUp();
        const [joined, ended] = await Promise.all([accept(token, someone), withdraw(invitationId)]);
        expect([
          ['ok', 'CONFLICT'],
          ['NOT_FOUND', 'ok'],
        ]).toContainEqual([codeOf(joined), codeOf(ended)]);
        expect((await memberIds(id)).includes(someone.user.userId)).toBe(joined.ok);
      }
    },
  );
});

describe('an invitation', () => {
  test('[D16] is invalid once its creator is no longer an owner, and the creator cannot rejoin with it', async () => {
    const id = await makeTeam();
    const [deputy, stranger] = await Promise.all([server.signUp(), server.signUp()]);
    await joinTeam(owner, id, deputy, 'owner');
    const made = await invite(id, deputy);
    bodyOf(await look(made, stranger));
    bodyOf(await setRole(owner, id, deputy, 'member'));
    expect(codeOf(await look(made, stranger))).toBe('NOT_FOUND');
    expect(codeOf(await accept(made, stranger))).toBe('NOT_FOUND');
    bodyOf(await owner.api.removeMember({ params: { id, userId: deputy.user.userId } }));
    expect(codeOf(await accept(made, deputy))).toBe('NOT_FOUND');
    expect(await memberIds(id)).toEqual([owner.user.userId]);
  });

  test('[D16] lasts seven days, names its workspace, and makes the accepting account a member', async () => {
    const id = await makeTeam();
    const outcome = await owner.api.createInvitation({ params: { id } });
    expect(outcome).toMatchObject({ status: 201 });
    const created = bodyOf(outcome);
    const expiresAt = new Date(clock.now() + 7 * DAY_MS).toISOString();
    expect(created).toEqual({
      invitationId: expect.stringMatching(/^inv_[0-9a-hjkmnp-tv-z]{26}$/),
      url: expect.stringMatching(`^${APP_ORIGIN}/invitations/[0-9A-Za-z]{32}$`),
      expiresAt,
    });
    const token = created.url.split('/').at(-1) ?? '';
    expect(bodyOf(await look(token))).toEqual({
      invitationId: created.invitationId,
      workspaceName: 'Team',
      invitedBy: owner.user.displayName,
      expiresAt,
    });
    expect(bodyOf(await accept(token))).toEqual({ workspaceId: id, role: 'member' });
    expect(await memberIds(id)).toEqual([owner.user.userId, guest.user.userId]);
    expect(bodyOf(await guest.api.listWorkspaces()).workspaces.at(-1)).toMatchObject({
      workspaceId: id,
      role: 'member',
    });
  });

  test('[D16] is not used up when it or its page is viewed', async () => {
    const id = await makeTeam();
    const token = await invite(id);
    for (let visit = 0; visit < 20; visit += 1) {
      bodyOf(await look(token));
      expect((await guest.fetch(`/invitations/${token}`)).status).toBe(200);
    }
    expect(await memberIds(id)).toEqual([owner.user.userId]);
    expect(codeOf(await accept(token))).toBe('ok');
  });
});

describe('one use of an invitation', () => {
  test('[D16] the same person may accept again and gets the same response', async () => {
    const id = await makeTeam();
    const token = await invite(id);
    const first = bodyOf(await accept(token));
    expect(bodyOf(await accept(token))).toEqual(first);
    bodyOf(await setRole(owner, id, guest, 'owner'));
    expect(bodyOf(await accept(token))).toEqual({ workspaceId: id, role: 'owner' });
  });

  test('[D16] it does not readmit a person who was removed', async () => {
    const id = await makeTeam();
    const token = await invite(id);
    bodyOf(await accept(token));
    bodyOf(await owner.api.removeMember({ params: { id, userId: guest.user.userId } }));
    expect(codeOf(await accept(token))).toBe('NOT_FOUND');
    expect(await memberIds(id)).toEqual([owner.user.userId]);
  });

  test('[D16] a member who accepts keeps the role, and the invitation stays open', async () => {
    const id = await makeTeam();
    const token = await invite(id);
    expect(bodyOf(await accept(token, owner))).toEqual({ workspaceId: id, role: 'owner' });
    expect(bodyOf(await accept(token))).toEqual({ workspaceId: id, role: 'member' });
  });

  test('[D16] when many people accept simultaneously, only one joins', { tags: 'repeated' }, async () => {
    const people = await atOnce(inLane(10, 50), () => server.signUp());
    const id = await makeTeam();
    const token = await invite(id);
    const outcomes = await Promise.all(people.map((person) => accept(token, person)));
    expect(outcomes.filter(({ ok }) => ok)).toHaveLength(1);
    expect(new Set(outcomes.filter(({ ok }) => !ok).map(codeOf))).toEqual(new Set(['NOT_FOUND']));
    expect(await memberIds(id)).toHaveLength(2);
  });

  test('[D16] parallel accepts by one person all succeed and create one membership', async () => {
    const id = await makeTeam();
    const token = await invite(id);
    const outcomes = await atOnce(10, () => accept(token));
    expect(outcomes.every(({ ok }) => ok)).toBe(true);
    expect(await memberIds(id)).toEqual([owner.user.userId, guest.user.userId]);
  });

  test(
    '[D16] two invitations that one person accepts simultaneously create one membership',
    { tags: 'repeated' },
    async () => {
      for (let round = 0; round < ROUNDS; round += 1) {
        const id = await makeTeam();
        const tokens = [await invite(id), await invite(id)];
        const outcomes = await Promise.all(tokens.map((token) => accept(token)));
        expect(outcomes.map(codeOf)).toEqual(['ok', 'ok']);
        expect(await memberIds(id)).toHaveLength(2);
      }
    },
  );
});

describe('the end of an invitation', () => {
  test('[D16] after seven days it is not found, to the millisecond', async () => {
    const token = await invite(await makeTeam());
    clock.advance(7 * DAY_MS - 1);
    expect(codeOf(await look(token))).toBe('ok');
    clock.advance(1);
    expect(codeOf(await look(token))).toBe('NOT_FOUND');
    expect(codeOf(await accept(token))).toBe('NOT_FOUND');
  });

  test('[D16] the job deletes an expired invitation, and keeps open ones', async () => {
    const id = await makeTeam();
    await invite(id);
    clock.advance(6 * DAY_MS);
    const later = await invite(id);
    clock.advance(DAY_MS);
    await server.runJob('expired invitations');
    const rows = await server.service.database.read
      .selectFrom('invitations')
      .select('id')
      .where('workspaceId', '=', id)
      .execute();
    expect(rows).toHaveLength(1);
    expect(codeOf(await look(later))).toBe('ok');
  });

  test('[D16] it is deleted with its workspace', async () => {
    const id = await makeTeam();
    const token = await invite(id);
    bodyOf(await owner.api.deleteWorkspace({ params: { id } }));
    expect(codeOf(await look(token))).toBe('NOT_FOUND');
    expect(codeOf(await accept(token))).toBe('NOT_FOUND');
  });

  test(
    '[D16] accepting while the workspace is deleted either succeeds first or fails',
    { tags: 'repeated' },
    async () => {
      for (let round = 0; round < ROUNDS; round += 1) {
        const id = await makeTeam();
        const token = await invite(id);
        const [deleted, accepted] = await Promise.all([
          owner.api.deleteWorkspace({ params: { id } }),
          accept(token),
        ]);
        expect(codeOf(deleted)).toBe('ok');
        expect(['ok', 'NOT_FOUND']).toContain(codeOf(accepted));
        expect(codeOf(await guest.api.listMembers({ params: { id } }))).toBe('NOT_FOUND');
      }
    },
  );

  test('[D1] [D16] a second person gets the same response as for an unknown invitation', async () => {
    const id = await makeTeam();
    const used = await invite(id);
    bodyOf(await accept(used));
    const late = await server.signUp();
    const messages = new Set<string>();
    for (const token of [used, 'A'.repeat(32)]) {
      for (const outcome of [await look(token, late), await accept(token, late)]) {
        expect(outcome).toMatchObject({ status: 404, error: { code: 'NOT_FOUND' } });
        messages.add(outcome.ok ? '' : outcome.error.message);
      }
    }
    expect(messages.size).toBe(1);
    expect(await memberIds(id)).not.toContain(late.user.userId);
  });
});
