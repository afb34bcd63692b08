/** Invitations to team workspaces: links that work once, for anyone who has them. */
import { limits, type Invitation, type OpenInvitation, type Role } from '@svc/contract';
import { AppError } from '#app-error';
import { topics } from '#platform/bus/topics';
import { chargedTransaction } from '#platform/charged-transaction';
import { isoTime } from '#platform/clock';
import type { Db } from '#platform/database/database';
import { isRecordId } from '#platform/ids';
import type { Job } from '#platform/sweeper';
import { hashToken, isLinkToken, newLinkToken } from '#platform/tokens';
import { requireAccount } from '#features/auth';
import { requireMembership, requireOwner, type WorkspacePorts } from './service.ts';
import * as store from './store.ts';

export interface InvitationService {
  /** @throws AppError CONFLICT for a personal workspace, and at the limit of open invitations; RATE_LIMITED. */
  create(
    userId: string,
    workspaceId: string,
  ): Promise<{ invitationId: string; url: string; expiresAt: string }>;
  /**
   * The open invitations.
   * @throws AppError NOT_FOUND; FORBIDDEN for members who are not owners.
   */
  list(userId: string, workspaceId: string): Promise<OpenInvitation[]>;
  /**
   * Revokes the invitation. Also succeeds for a revoked invitation.
   * @throws AppError NOT_FOUND, FORBIDDEN; CONFLICT once it was accepted; RATE_LIMITED.
   */
  revoke(userId: string, invitationId: string): Promise<void>;
  describe(token: string): Promise<Invitation>;
  /** Whether the invitation can be accepted now. */
  isOpen(token: string): Promise<boolean>;
  /** A current member keeps the role, and the invitation is not used up. */
  accept(token: string, userId: string): Promise<{ workspaceId: string; role: Role }>;
  readonly job: Job;
}

export function createInvitationService(ports: WorkspacePorts): InvitationService {
  const { database, bus, clock, random, ids, appBaseUrl, caps, audit } = ports;

  async function findOpen(token: string): Promise<store.InvitationView | null> {
    const invitation = isLinkToken(token)
      ? await store.findInvitation(database.read, hashToken(token))
      : null;
    if (!invitation || hasEnded(invitation, clock.now()) || invitation.acceptedBy !== null) return null;
    return (await isByOwner(database.read, invitation)) ? invitation : null;
  }

  return {
    create: (userId, workspaceId) =>
      chargedTransaction(ports, userId, async (tx, due) => {
        const membership = await requireMembership(tx, userId, workspaceId);
        requireOwner(membership);
        if (membership.kind === 'personal') {
          throw new AppError('CONFLICT', {
            message: "A personal workspace can't have members. Create a team workspace.",
          });
        }
        due();
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
          revokedAt: null,
        });
        audit.record(tx, {
          action: 'member_invited',
          actorId: userId,
          workspaceId,
          subjectId: invitationId,
        });
        return { invitationId, url: `${appBaseUrl}/invitations/${token}`, expiresAt: isoTime(expiresAt) };
      }),

    async list(userId, workspaceId) {
      requireOwner(await requireMembership(database.read, userId, workspaceId));
      const rows = await store.listOpenInvitations(database.read, workspaceId, clock.now());
      return rows.map((row) => ({
        invitationId: row.id,
        createdAt: isoTime(row.createdAt),
        expiresAt: isoTime(row.expiresAt),
        createdBy: { userId: row.invitedBy, displayName: row.inviterName },
      }));
    },

    revoke: (userId, invitationId) =>
      chargedTransaction(ports, userId, async (tx, due) => {
        const invitation = isRecordId('inv', invitationId)
          ? await store.lockInvitation(tx, { id: invitationId })
          : null;
        const now = clock.now();
        if (!invitation || invitation.expiresAt <= now) throw new AppError('NOT_FOUND');
        const { workspaceId } = invitation;
        requireOwner(await requireMembership(tx, userId, workspaceId));
        if (invitation.acceptedBy !== null) {
          throw new AppError('CONFLICT', {
            message: 'This invitation was accepted. Remove the member instead.',
          });
        }
        if (invitation.revokedAt !== null) return;
        due();
        await store.revokeInvitation(tx, invitationId, now);
        audit.record(tx, {
          action: 'invitation_revoked',
          actorId: userId,
          workspaceId,
          subjectId: invitationId,
        });
      }),

    async describe(token) {
      const invitation = await findOpen(token);
      if (!invitation) throw notOpen();
      return {
        invitationId: invitation.id,
        workspaceName: invitation.workspaceName,
        invitedBy: invitation.inviterName,
        expiresAt: isoTime(invitation.expiresAt),
      };
    },

    isOpen: async (token) => (await findOpen(token)) !== null,

    accept: (token, userId) =>
      database.transaction(async (tx) => {
        await requireAccount(database, tx, userId);
        const invitation = isLinkToken(token)
          ? await store.lockInvitation(tx, { tokenHash: hashToken(token) })
          : null;
        const now = clock.now();
        if (!invitation || hasEnded(invitation, now)) throw notOpen();
        const { workspaceId } = invitation;
        const present = await store.findMembership(tx, userId, workspaceId);
        if (invitation.acceptedBy !== null) {
          // The same person may call again after a lost response.
          if (invitation.acceptedBy === userId && present) return { workspaceId, role: present.role };
          throw notOpen();
        }
        if (present) return { workspaceId, role: present.role };
        await store.lockWorkspace(tx, workspaceId);
        if (!(await isByOwner(tx, invitation))) throw notOpen();
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

function hasEnded({ expiresAt, revokedAt }: store.InvitationRow, now: number): boolean {
  return expiresAt <= now || revokedAt !== null;
}

/** An invitation is valid only while its creator is an owner. */
async function isByOwner(
  db: Db,
  { invitedBy, workspaceId }: Pick<store.InvitationRow, 'invitedBy' | 'workspaceId'>,
): Promise<boolean> {
  const inviter = await store.findMembership(db, invitedBy, workspaceId);
  return inviter?.role === 'owner';
}

function tooManyOpen(most: number): AppError {
  return new AppError('CONFLICT', {
    message: `The workspace has ${most} open invitations, which is the limit. Revoke one, or wait until one is used or expires.`,
  });
}

function notOpen(): AppError {
  return new AppError('NOT_FOUND', {
    message: 'This invitation is not valid. Ask for a new one.',
  });
}
