/** Workspaces, memberships and invitations. */
import type { Plan, Role } from '@svc/contract';
import { compiledOnce } from '#platform/database/compiled-once';
import type { Db, Tx } from '#platform/database/database';
import type { InvitationsTable, WorkspacesTable } from '#platform/database/schema';
import type { TokenHash } from '#platform/tokens';

export type WorkspaceRow = WorkspacesTable;
export type InvitationRow = InvitationsTable;

export async function insertWorkspace(tx: Tx, workspace: WorkspaceRow): Promise<void> {
  await tx.insertInto('workspaces').values(workspace).execute();
}

/** Locks the workspace, so that its members change one at a time. */
export async function lockWorkspace(tx: Tx, workspaceId: string): Promise<WorkspaceRow | null> {
  const row = await tx
    .selectFrom('workspaces')
    .selectAll()
    .where('id', '=', workspaceId)
    .forUpdate()
    .executeTakeFirst();
  return row ?? null;
}

export async function deleteWorkspace(tx: Tx, workspaceId: string): Promise<void> {
  await tx.deleteFrom('workspaces').where('id', '=', workspaceId).execute();
}

export async function listWorkspaces(db: Db, userId: string): Promise<(WorkspaceRow & { role: Role })[]> {
  return db
    .selectFrom('memberships')
    .innerJoin('workspaces', 'workspaces.id', 'memberships.workspaceId')
    .selectAll('workspaces')
    .select('memberships.role')
    .where('memberships.userId', '=', userId)
    .orderBy('workspaces.createdAt')
    .orderBy('workspaces.id')
    .execute();
}

export async function countOwnedTeams(tx: Tx, userId: string): Promise<number> {
  const { count } = await tx
    .selectFrom('memberships')
    .innerJoin('workspaces', 'workspaces.id', 'memberships.workspaceId')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('memberships.userId', '=', userId)
    .where('memberships.role', '=', 'owner')
    .where('workspaces.kind', '=', 'team')
    .executeTakeFirstOrThrow();
  return count;
}

/** A workspace with the role of one of its members; null for everyone else, as for an unknown workspace. */
export async function findMembership(
  db: Db,
  userId: string,
  workspaceId: string,
): Promise<(WorkspaceRow & { role: Role }) | null> {
  const [row] = await membership(db, { userId, workspaceId });
  return row ?? null;
}

const membership = compiledOnce((db, { userId, workspaceId }: { userId: string; workspaceId: string }) =>
  db
    .selectFrom('memberships')
    .innerJoin('workspaces', 'workspaces.id', 'memberships.workspaceId')
    .selectAll('workspaces')
    .select('memberships.role')
    .where('memberships.userId', '=', userId)
    .where('memberships.workspaceId', '=', workspaceId),
);

export async function updatePlan(tx: Tx, workspaceId: string, plan: Plan): Promise<void> {
  await tx.updateTable('workspaces').set({ plan }).where('id', '=', workspaceId).execute();
}

/** The ids in order, so that callers always lock workspaces in the same order. */
export async function listWorkspaceIds(tx: Tx, userId: string): Promise<string[]> {
  const rows = await tx
    .selectFrom('memberships')
    .select('workspaceId')
    .where('userId', '=', userId)
    .orderBy('workspaceId')
    .execute();
  return rows.map(({ workspaceId }) => workspaceId);
}

export interface MemberRow {
  readonly userId: string;
  readonly email: string;
  readonly displayName: string;
  readonly role: Role;
  readonly joinedAt: number;
}

export async function listMembers(db: Db, workspaceId: string): Promise<MemberRow[]> {
  return db
    .selectFrom('memberships')
    .innerJoin('users', 'users.id', 'memberships.userId')
    .select([
      'users.id as userId',
      'users.email',
      'users.displayName',
      'memberships.role',
      'memberships.joinedAt',
    ])
    .where('memberships.workspaceId', '=', workspaceId)
    .orderBy('memberships.joinedAt')
    .orderBy('users.id')
    .execute();
}

/** False when the user is already a member. */
export async function insertMember(
  tx: Tx,
  member: { workspaceId: string; userId: string; role: Role; joinedAt: number },
): Promise<boolean> {
  const inserted = await tx
    .insertInto('memberships')
    .values(member)
    .onConflict((conflict) => conflict.columns(['workspaceId', 'userId']).doNothing())
    .returning('userId')
    .executeTakeFirst();
  return inserted !== undefined;
}

export async function updateRole(tx: Tx, workspaceId: string, userId: string, role: Role): Promise<void> {
  await tx
    .updateTable('memberships')
    .set({ role })
    .where('workspaceId', '=', workspaceId)
    .where('userId', '=', userId)
    .execute();
}

export async function deleteMember(tx: Tx, workspaceId: string, userId: string): Promise<void> {
  await tx
    .deleteFrom('memberships')
    .where('workspaceId', '=', workspaceId)
    .where('userId', '=', userId)
    .execute();
}

export async function insertInvitation(tx: Tx, invitation: InvitationRow): Promise<void> {
  await tx.insertInto('invitations').values(invitation).execute();
}

export interface InvitationView extends InvitationRow {
  readonly workspaceName: string;
  readonly inviterName: string;
}

export async function findInvitation(db: Db, tokenHash: TokenHash): Promise<InvitationView | null> {
  const row = await db
    .selectFrom('invitations')
    .innerJoin('workspaces', 'workspaces.id', 'invitations.workspaceId')
    .innerJoin('users', 'users.id', 'invitations.invitedBy')
    .selectAll('invitations')
    .select(['workspaces.name as workspaceName', 'users.displayName as inviterName'])
    .where('invitations.tokenHash', '=', tokenHash)
    .executeTakeFirst();
  return row ?? null;
}

/** The invitations that can be accepted now. An invitation is valid only while its creator is an owner. */
function openInvitations(db: Db, workspaceId: string, now: number) {
  return db
    .selectFrom('invitations')
    .innerJoin('memberships', (join) =>
      join
        .onRef('memberships.workspaceId', '=', 'invitations.workspaceId')
        .onRef('memberships.userId', '=', 'invitations.invitedBy'),
    )
    .where('invitations.workspaceId', '=', workspaceId)
    .where('invitations.acceptedBy', 'is', null)
    .where('invitations.revokedAt', 'is', null)
    .where('invitations.expiresAt', '>', now)
    .where('memberships.role', '=', 'owner');
}

export async function listOpenInvitations(
  db: Db,
  workspaceId: string,
  now: number,
): Promise<
  (Pick<InvitationRow, 'id' | 'createdAt' | 'expiresAt' | 'invitedBy'> & { inviterName: string })[]
> {
  return openInvitations(db, workspaceId, now)
    .innerJoin('users', 'users.id', 'invitations.invitedBy')
    .select([
      'invitations.id',
      'invitations.createdAt',
      'invitations.expiresAt',
      'invitations.invitedBy',
      'users.displayName as inviterName',
    ])
    .orderBy('invitations.createdAt')
    .orderBy('invitations.id')
    .execute();
}

/** Locks the invitation, so that it is either accepted once or revoked. */
export async function lockInvitation(
  tx: Tx,
  by: { readonly tokenHash: TokenHash } | { readonly id: string },
): Promise<InvitationRow | null> {
  const row = await tx
    .selectFrom('invitations')
    .selectAll()
    .where((eb) => ('id' in by ? eb('id', '=', by.id) : eb('tokenHash', '=', by.tokenHash)))
    .forUpdate()
    .executeTakeFirst();
  return row ?? null;
}

export async function markAccepted(tx: Tx, invitationId: string, userId: string): Promise<void> {
  await tx.updateTable('invitations').set({ acceptedBy: userId }).where('id', '=', invitationId).execute();
}

export async function countOpenInvitations(tx: Tx, workspaceId: string, now: number): Promise<number> {
  const { count } = await openInvitations(tx, workspaceId, now)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return count;
}

export async function revokeInvitation(tx: Tx, invitationId: string, revokedAt: number): Promise<void> {
  await tx.updateTable('invitations').set({ revokedAt }).where('id', '=', invitationId).execute();
}

export async function deleteExpiredInvitations(db: Db, now: number): Promise<void> {
  await db.deleteFrom('invitations').where('expiresAt', '<=', now).execute();
}
