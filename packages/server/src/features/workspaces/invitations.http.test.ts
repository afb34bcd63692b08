import {
  APP_ORIGIN,
  bodyOf,
  codeOf,
  createFakeClock,
  startServer,
  type SessionActor,
  type TestServer,
} from '@svc/testkit';
import { inLane } from '@svc/testkit/lane';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

/** Of those who meet. */
const ROUNDS = inLane(3, 10);
const DAY_MS = 24 * 3_600_000;
const clock = createFakeClock();
let server: TestServer;
let owner: SessionActor;
let guest: SessionActor;

beforeAll(async () => {
  server = await startServer({ clock });
  [owner, guest] = await Promise.all([server.signUp(), server.signUp()]);
});
afterAll(() => server.close());

async function makeTeam(by = owner): Promise<string> {
  clock.advance(1000);
  const { workspaceId } = bodyOf(await by.api.createWorkspace({ body: { name: 'Team' } }));
  // Lists are by age: whatever comes next is younger.
  clock.advance(1000);
  return workspaceId;
}

async function invite(id: string, by = owner): Promise<string> {
  const { url } = bodyOf(await by.api.createInvitation({ params: { id } }));
  return url.split('/').at(-1) ?? '';
}

const accept = (token: string, by = guest) => by.api.acceptInvitation({ params: { token } });
const look = (token: string, by = guest) => by.api.getInvitation({ params: { token } });
const memberIds = async (id: string) =>
  bodyOf(await owner.api.listMembers({ params: { id } })).members.map(({ userId }) => userId);

const open = async (id: string, by = owner) =>
  bodyOf(await by.api.listInvitations({ params: { id } })).invitations;
const withdraw = (invitationId: string, by = owner) =>
  by.api.revokeInvitation({ params: { token: invitationId } });

/** The newest open one, with the token of its link. */
async function invited(id: string) {
  const { url, invitationId } = bodyOf(await owner.api.createInvitation({ params: { id } }));
  return { invitationId, token: url.split('/').at(-1) ?? '' };
}

describe('the open invitations of a workspace', () => {
  test('[D24] are listed oldest first, without those that were accepted, withdrawn or have expired', async () => {
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

  test('[D24] leave out those whose maker is no owner now', async () => {
    const id = await makeTeam();
    const deputy = await server.signUp();
    bodyOf(await accept(await invite(id), deputy));
    const { password } = owner;
    const member = { params: { id, userId: deputy.user.userId } };
    bodyOf(await owner.api.changeMember({ ...member, body: { role: 'owner', password } }));
    const token = await invite(id, deputy);
    expect(await open(id)).toMatchObject([{ createdBy: { userId: deputy.user.userId } }]);
    bodyOf(await owner.api.changeMember({ ...member, body: { role: 'member', password } }));
    expect(await open(id)).toEqual([]);
    expect(codeOf(await look(token))).toBe('NOT_FOUND');
  });

  test('[D24] can be withdrawn: the link ends then, again is the same answer, and the audit has it once', async () => {
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

  test('[D24] one that was accepted is a conflict, and an expired one is not there', async () => {
    const id = await makeTeam();
    const [accepted, expired] = [await invited(id), await invited(id)];
    bodyOf(await accept(accepted.token));
    expect(codeOf(await withdraw(accepted.invitationId))).toBe('CONFLICT');
    clock.advance(7 * DAY_MS);
    expect(codeOf(await withdraw(expired.invitationId))).toBe('NOT_FOUND');
  });

  test('[D24] are for owners: other members may not see or withdraw them, and to strangers there are none', async () => {
    const id = await makeTeam();
    const [member, stranger] = await Promise.all([server.signUp(), server.signUp()]);
    bodyOf(await accept(await invite(id), member));
    const { invitationId } = await invited(id);
    for (const [by, code] of [
      [member, 'FORBIDDEN'],
      [stranger, 'NOT_FOUND'],
    ] as const) {
      expect(codeOf(await by.api.listInvitations({ params: { id } }))).toBe(code);
      expect(codeOf(await withdraw(invitationId, by))).toBe(code);
    }
    expect(await open(id)).toHaveLength(1);
  });

  test('[D24] of accepting and withdrawing at the same moment exactly one happens', async () => {
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
  });
});

describe('an invitation', () => {
  test('[D16] it is worth nothing once its maker is no owner any more, and nobody comes back by one of their own', async () => {
    const id = await makeTeam();
    const [deputy, stranger] = await Promise.all([server.signUp(), server.signUp()]);
    bodyOf(await accept(await invite(id), deputy));
    const { password } = owner;
    const asOwner = {
      params: { id, userId: deputy.user.userId },
      body: { role: 'owner' as const, password },
    };
    bodyOf(await owner.api.changeMember(asOwner));
    const made = await invite(id, deputy);
    bodyOf(await look(made, stranger));
    bodyOf(await owner.api.changeMember({ ...asOwner, body: { role: 'member', password } }));
    expect(codeOf(await look(made, stranger))).toBe('NOT_FOUND');
    expect(codeOf(await accept(made, stranger))).toBe('NOT_FOUND');
    bodyOf(await owner.api.removeMember({ params: asOwner.params }));
    expect(codeOf(await accept(made, deputy))).toBe('NOT_FOUND');
    expect(await memberIds(id)).toEqual([owner.user.userId]);
  });

  test('[D16] it is made for seven days, says what it is to, and makes whoever accepts a member', async () => {
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
    expect(await accept(token)).toEqual({ ok: true, status: 200, body: { workspaceId: id, role: 'member' } });
    expect(await memberIds(id)).toEqual([owner.user.userId, guest.user.userId]);
    expect(bodyOf(await guest.api.listWorkspaces()).workspaces.at(-1)).toMatchObject({
      workspaceId: id,
      role: 'member',
    });
  });

  test('[D16] only owners make them', async () => {
    const id = await makeTeam();
    bodyOf(await accept(await invite(id)));
    expect(await guest.api.createInvitation({ params: { id } })).toMatchObject({
      status: 403,
      error: { code: 'FORBIDDEN' },
    });
  });

  test('[D16] it needs a browser session, to look at and to accept', async () => {
    const token = await invite(await makeTeam());
    const device = await server.linkDevice(guest);
    for (const { api } of [server.anonymous, device]) {
      expect(codeOf(await api.getInvitation({ params: { token } }))).toBe('UNAUTHENTICATED');
      expect(codeOf(await api.acceptInvitation({ params: { token } }))).toBe('UNAUTHENTICATED');
    }
    expect(codeOf(await accept(token))).toBe('ok');
  });

  test('[D16] looking at it, on its page too, does not spend it', async () => {
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

describe('one use', () => {
  test('[D16] a second person finds it used', async () => {
    const id = await makeTeam();
    const token = await invite(id);
    bodyOf(await accept(token));
    const late = await server.signUp();
    expect(await accept(token, late)).toMatchObject({ status: 404, error: { code: 'NOT_FOUND' } });
    expect(codeOf(await look(token, late))).toBe('NOT_FOUND');
    expect(await memberIds(id)).not.toContain(late.user.userId);
  });

  test('[D16] the same person may accept again and gets the same answer', async () => {
    const id = await makeTeam();
    const token = await invite(id);
    const first = bodyOf(await accept(token));
    expect(bodyOf(await accept(token))).toEqual(first);
    bodyOf(
      await owner.api.changeMember({
        params: { id, userId: guest.user.userId },
        body: { role: 'owner', password: owner.password },
      }),
    );
    expect(bodyOf(await accept(token))).toEqual({ workspaceId: id, role: 'owner' });
  });

  test('[D16] it does not bring back a person who was removed', async () => {
    const id = await makeTeam();
    const token = await invite(id);
    bodyOf(await accept(token));
    bodyOf(await owner.api.removeMember({ params: { id, userId: guest.user.userId } }));
    expect(codeOf(await accept(token))).toBe('NOT_FOUND');
    expect(await memberIds(id)).toEqual([owner.user.userId]);
  });

  test('[D16] a member who accepts keeps the role, and the invitation its use', async () => {
    const id = await makeTeam();
    const token = await invite(id);
    expect(bodyOf(await accept(token, owner))).toEqual({ workspaceId: id, role: 'owner' });
    expect(bodyOf(await accept(token))).toEqual({ workspaceId: id, role: 'member' });
  });

  test('[D16] of many people who accept at once one joins', async () => {
    const people = await Promise.all(Array.from({ length: inLane(10, 50) }, () => server.signUp()));
    const id = await makeTeam();
    const token = await invite(id);
    const outcomes = await Promise.all(people.map((person) => accept(token, person)));
    expect(outcomes.filter(({ ok }) => ok)).toHaveLength(1);
    expect(new Set(outcomes.filter(({ ok }) => !ok).map(codeOf))).toEqual(new Set(['NOT_FOUND']));
    expect(await memberIds(id)).toHaveLength(2);
  });

  test('[D16] of parallel accepts by one person all succeed and one membership is made', async () => {
    const id = await makeTeam();
    const token = await invite(id);
    const outcomes = await Promise.all(Array.from({ length: 10 }, () => accept(token)));
    expect(outcomes.every(({ ok }) => ok)).toBe(true);
    expect(await memberIds(id)).toEqual([owner.user.userId, guest.user.userId]);
  });

  test('[D16] two invitations that one person accepts at once make one membership', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const id = await makeTeam();
      const tokens = [await invite(id), await invite(id)];
      const outcomes = await Promise.all(tokens.map((token) => accept(token)));
      expect(outcomes.map(codeOf)).toEqual(['ok', 'ok']);
      expect(await memberIds(id)).toHaveLength(2);
    }
  });
});

describe('its end', () => {
  test('[D16] after seven days it is not found, to the millisecond', async () => {
    const token = await invite(await makeTeam());
    clock.advance(7 * DAY_MS - 1);
    expect(codeOf(await look(token))).toBe('ok');
    clock.advance(1);
    expect(codeOf(await look(token))).toBe('NOT_FOUND');
    expect(codeOf(await accept(token))).toBe('NOT_FOUND');
  });

  test('[D16] the job removes it then, and leaves open ones', async () => {
    const id = await makeTeam();
    await invite(id);
    clock.advance(6 * DAY_MS);
    const later = await invite(id);
    clock.advance(DAY_MS);
    await server.service.app.jobs.find(({ name }) => name === 'expired invitations')?.run();
    const rows = await server.service.database.read
      .selectFrom('invitations')
      .select('id')
      .where('workspaceId', '=', id)
      .execute();
    expect(rows).toHaveLength(1);
    expect(codeOf(await look(later))).toBe('ok');
  });

  test('[D16] with its workspace it is gone', async () => {
    const id = await makeTeam();
    const token = await invite(id);
    bodyOf(await owner.api.deleteWorkspace({ params: { id } }));
    expect(codeOf(await look(token))).toBe('NOT_FOUND');
    expect(codeOf(await accept(token))).toBe('NOT_FOUND');
  });

  test('[D16] accepting while the workspace is deleted ends in one or the other', async () => {
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
  });

  test('[D1] an unknown token and malformed ones are answered as a used one is', async () => {
    const used = await invite(await makeTeam());
    bodyOf(await accept(used));
    const other = await server.signUp();
    const messages = new Set<string>();
    for (const token of [used, 'A'.repeat(32), 'short', `${'A'.repeat(31)}_`, '..%2f']) {
      for (const outcome of [await look(token, other), await accept(token, other)]) {
        expect(codeOf(outcome)).toBe('NOT_FOUND');
        messages.add(outcome.ok ? '' : outcome.error.message);
      }
    }
    expect(messages.size).toBe(1);
  });
});
