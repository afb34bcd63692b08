/** Invitations to team workspaces: an address of one use, which its holder may give to whom they like. */
import { limits, type Invitation, type Role } from '@svc/contract';
import { AppError } from '#app-error';
import { topics } from '#platform/bus/topics';
import { isoTime } from '#platform/clock';
import type { Db } from '#platform/database/database';
import type { Job } from '#platform/sweeper';
import { hashToken, isLinkToken, newLinkToken } from '#platform/tokens';
import { requireAccount } from '#features/auth';
import { requireMembership, requireOwner, type WorkspacePorts } from './service.ts';
import * as store from './store.ts';

export interface InvitationService {
  /** @throws AppError CONFLICT for a personal workspace, and when as many are open as may be. */
  create(
    userId: string,
    workspaceId: string,
  ): Promise<{ invitationId: string; url: string; expiresAt: string }>;
  describe(token: string): Promise<Invitation>;
  /** Members already keep their role, and the invitation its use. */
  accept(token: string, userId: string): Promise<{ workspaceId: string; role: Role }>;
  readonly job: Job;
}

export function createInvitationService({
  database,
  bus,
  clock,
  random,
  ids,
  appBaseUrl,
  caps,
  audit,
}: WorkspacePorts): InvitationService {
  return {
    create: (userId, workspaceId) =>
      database.transaction(async (tx) => {
        const membership = await requireMembership(tx, userId, workspaceId);
        requireOwner(membership);
        if (membership.kind === 'personal') {
          throw new AppError('CONFLICT', {
            message: 'A personal workspace takes no members. Make a team workspace for that.',
          });
        }
        const now = clock.now();
        await database.lockNames(tx, [`invitations ${workspaceId}`]);
        if ((await store.countOpenInvitations(tx, workspaceId, now)) >= caps.openInvitationsPerWorkspace)
          throw tooManyOpen(caps.openInvitationsPerWorkspace);
        const token = newLinkToken(random);
        const invitationId = ids.timed('inv');
        const expiresAt = now + limits.invitationLifetimeMs;
        await store.insertInvitation(tx, {
          id: invitationId,
          workspaceId,
          tokenHash: hashToken(token),
          invitedBy: userId,
          createdAt: now,
          expiresAt,
          acceptedBy: null,
        });
        audit.record(tx, {
          action: 'member_invited',
          actorId: userId,
          workspaceId,
          subjectId: invitationId,
        });
        return { invitationId, url: `${appBaseUrl}/invitations/${token}`, expiresAt: isoTime(expiresAt) };
      }),

    async describe(token) {
      const invitation = isLinkToken(token)
        ? await store.findInvitation(database.read, hashToken(token))
        : null;
      if (!invitation || invitation.expiresAt <= clock.now() || invitation.acceptedBy !== null)
        throw notOpen();
      await requireInviter(database.read, invitation);
      return {
        invitationId: invitation.id,
        workspaceName: invitation.workspaceName,
        invitedBy: invitation.inviterName,
        expiresAt: isoTime(invitation.expiresAt),
      };
    },

    accept: (token, userId) =>
      database.transaction(async (tx) => {
        await requireAccount(database, tx, userId);
        const invitation = isLinkToken(token) ? await store.lockInvitation(tx, hashToken(token)) : null;
        const now = clock.now();
        if (!invitation || invitation.expiresAt <= now) throw notOpen();
        const { workspaceId } = invitation;
        const present = await store.findMembership(tx, userId, workspaceId);
        if (invitation.acceptedBy !== null) {
          // The same person again, after an answer that was lost on the way.
          if (invitation.acceptedBy === userId && present) return { workspaceId, role: present.role };
          throw notOpen();
        }
        if (present) return { workspaceId, role: present.role };
        await store.lockWorkspace(tx, workspaceId);
        await requireInviter(tx, invitation);
        await store.insertMember(tx, { workspaceId, userId, role: 'member', joinedAt: now });
        audit.record(tx, { action: 'member_joined', actorId: userId, workspaceId, subjectId: userId });
        await bus.publish(tx, topics.user(userId));
        await store.markAccepted(tx, invitation.id, userId);
        return { workspaceId, role: 'member' };
      }),

    job: {
      name: 'expired invitations',
      everyMs: 60_000,
      run: () => store.deleteExpiredInvitations(database.read, clock.now()),
    },
  };
}

/** An invitation is worth as much as the right of its maker: one who is no owner any more can not bring people in. */
async function requireInviter(
  db: Db,
  { invitedBy, workspaceId }: Pick<store.InvitationRow, 'invitedBy' | 'workspaceId'>,
): Promise<void> {
  const inviter = await store.findMembership(db, invitedBy, workspaceId);
  if (inviter?.role !== 'owner') throw notOpen();
}

function tooManyOpen(most: number): AppError {
  return new AppError('CONFLICT', {
    message: `The workspace has ${most} open invitations, which is the limit. Revoke one, or wait until one is used or expires.`,
  });
}

function notOpen(): AppError {
  return new AppError('NOT_FOUND', {
    message: 'This invitation was used, has expired or never was. Ask for a new one.',
  });
}
