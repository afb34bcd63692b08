/**
 * Workspaces and their members.
 *
 * Every workspace has members, and at least one of them is an owner. Every change of its members locks the workspace
 * first, so that two owners who leave simultaneously cannot leave it without an owner.
 */
import type { Member, Plan, Role, Workspace, WorkspaceKind } from '@svc/contract';
import { AppError } from '#app-error';
import type { Bus } from '#platform/bus/bus';
import { topics } from '#platform/bus/topics';
import { chargedTransaction } from '#platform/charged-transaction';
import { isoTime, type Clock } from '#platform/clock';
import type { CreationCaps } from '#platform/creation-caps';
import type { Database, Db, Tx } from '#platform/database/database';
import { isRecordId, type Ids } from '#platform/ids';
import type { Random } from '#platform/random';
import type { Throttles } from '#platform/throttles';
import type { AuditReading, AuditRecorder } from '#features/audit';
import { requireAccount } from '#features/auth';
import { departure, heirOf } from './policy.ts';
import * as store from './store.ts';
import type { WorkspaceRow } from './store.ts';

export interface WorkspacePorts {
  readonly database: Database;
  readonly bus: Bus;
  readonly clock: Clock;
  readonly random: Random;
  readonly ids: Ids;
  readonly appBaseUrl: string;
  readonly caps: CreationCaps;
  readonly throttles: Pick<Throttles, 'chargeIfDue'>;
  readonly reports: ReportsOfWorkspaces;
  readonly audit: Pick<AuditRecorder, 'record'> & Pick<AuditReading, 'ofWorkspace'>;
  /** @throws AppError FORBIDDEN for a wrong password, RATE_LIMITED */
  readonly requirePassword: (again: {
    readonly userId: string;
    readonly network: string;
    readonly password: string;
  }) => Promise<unknown>;
}

type DeparturePorts = Pick<WorkspacePorts, 'bus' | 'reports' | 'audit'>;

/** What happens to reports when workspaces are deleted and members leave. */
export interface ReportsOfWorkspaces {
  readonly expireAll: (
    tx: Tx,
    belonging: { readonly workspaceId: string },
    deletedBy: string,
  ) => Promise<void>;
  readonly passOn: (tx: Tx, workspaceId: string, from: string, to: string) => Promise<void>;
}

export interface MembershipFacts {
  readonly workspaceId: string;
  readonly kind: WorkspaceKind;
  readonly plan: Plan;
  readonly role: Role;
}

export interface WorkspaceService {
  /** @throws AppError CONFLICT at the limit of workspaces that a user may own; RATE_LIMITED. */
  createTeam(userId: string, name: string): Promise<string>;
  list(userId: string): Promise<Workspace[]>;
  /** @throws AppError NOT_FOUND; FORBIDDEN for members; CONFLICT for a personal workspace; RATE_LIMITED. */
  delete(userId: string, workspaceId: string): Promise<void>;
  listMembers(userId: string, workspaceId: string): Promise<Member[]>;
  /** Requires the password of an owner, because an unattended open browser must not change what members may do. */
  changeRole(
    by: { readonly userId: string; readonly network: string; readonly password: string },
    member: { readonly workspaceId: string; readonly memberId: string },
    role: Role,
  ): Promise<void>;
  removeMember(userId: string, workspaceId: string, memberId: string): Promise<void>;
}

export function createWorkspaceService(ports: WorkspacePorts): WorkspaceService {
  const { database } = ports;
  const db = database.read;

  /** Locks the workspace until the transaction ends, and returns its current state. */
  async function lock(tx: Tx, userId: string, workspaceId: string): Promise<MembershipFacts> {
    if (isRecordId('ws', workspaceId)) await store.lockWorkspace(tx, workspaceId);
    return requireMembership(tx, userId, workspaceId);
  }

  return {
    createTeam: (userId, name) =>
      chargedTransaction(ports, userId, async (tx, due) => {
        await requireAccount(database, tx, userId);
        due();
        const most = ports.caps.teamWorkspacesPerUser;
        if ((await store.countOwnedTeams(tx, userId)) >= most) throw tooManyTeams(most);
        return createWorkspace(tx, ports, userId, { name: name.trim(), kind: 'team' });
      }),

    async list(userId) {
      const rows = await store.listWorkspaces(db, userId);
      return rows.map((row) => ({
        workspaceId: row.id,
        name: row.name,
        kind: row.kind,
        role: row.role,
        plan: row.plan,
        createdAt: isoTime(row.createdAt),
      }));
    },

    delete: (userId, workspaceId) =>
      chargedTransaction(ports, userId, async (tx, due) => {
        const membership = await lock(tx, userId, workspaceId);
        requireOwner(membership);
        if (membership.kind === 'personal') throw personalStays();
        due();
        const members = await store.listMembers(tx, workspaceId);
        await deleteWithReports(tx, ports, { workspaceId, deletedBy: userId, members });
      }),

    async listMembers(userId, workspaceId) {
      await requireMembership(db, userId, workspaceId);
      const rows = await store.listMembers(db, workspaceId);
      return rows.map(({ joinedAt, ...row }) => ({ ...row, joinedAt: isoTime(joinedAt) }));
    },

    async changeRole({ userId, network, password }, { workspaceId, memberId }, role) {
      requireOwner(await requireMembership(db, userId, workspaceId));
      await ports.requirePassword({ userId, network, password });
      await database.transaction(async (tx) => {
        requireOwner(await lock(tx, userId, workspaceId));
        const members = await store.listMembers(tx, workspaceId);
        if (!members.some((member) => member.userId === memberId)) throw new AppError('NOT_FOUND');
        if (role === 'member' && departure(members, memberId) !== 'allowed') throw lastOwner();
        await store.updateRole(tx, workspaceId, memberId, role);
        ports.audit.record(tx, {
          action: 'member_role_changed',
          actorId: userId,
          workspaceId,
          subjectId: memberId,
          detail: role,
        });
      });
    },

    removeMember: (userId, workspaceId, memberId) =>
      database.transaction(async (tx) => {
        const membership = await lock(tx, userId, workspaceId);
        if (memberId !== userId) requireOwner(membership);
        const members = await store.listMembers(tx, workspaceId);
        if (!members.some((member) => member.userId === memberId)) throw new AppError('NOT_FOUND');
        if (membership.kind === 'personal') throw personalStays();
        await depart(tx, ports, { workspaceId, memberId, by: userId, members });
      }),
  };
}

/** Creates a workspace with one owner. */
export async function createWorkspace(
  tx: Tx,
  { bus, clock, ids, audit }: Pick<WorkspacePorts, 'bus' | 'clock' | 'ids' | 'audit'>,
  userId: string,
  given: Pick<WorkspaceRow, 'name' | 'kind'>,
): Promise<string> {
  const workspaceId = ids.timed('ws');
  const now = clock.now();
  await store.insertWorkspace(tx, { id: workspaceId, ...given, plan: 'free', createdAt: now });
  await store.insertMember(tx, { workspaceId, userId, role: 'owner', joinedAt: now });
  audit.record(tx, { action: 'workspace_created', actorId: userId, workspaceId });
  await bus.publish(tx, topics.user(userId));
  return workspaceId;
}

/**
 * Removes a user from every workspace, before the account is deleted. Workspaces without another member are deleted.
 * @throws AppError CONFLICT with the workspaces that would be left without an owner.
 */
export async function leaveAllWorkspaces(tx: Tx, ports: DeparturePorts, userId: string): Promise<void> {
  const stuck: { workspaceId: string; name: string }[] = [];
  for (const workspaceId of await store.listWorkspaceIds(tx, userId)) {
    const workspace = await store.lockWorkspace(tx, workspaceId);
    const members = await store.listMembers(tx, workspaceId);
    if (!workspace) continue;
    if (departure(members, userId) === 'last-owner') stuck.push({ workspaceId, name: workspace.name });
    else await depart(tx, ports, { workspaceId, memberId: userId, by: userId, members });
  }
  if (stuck.length > 0) {
    throw new AppError('CONFLICT', {
      message:
        'You are the only owner of the workspaces in details.workspaces. Make another member an owner of each, or delete it.',
      details: { workspaces: stuck },
    });
  }
}

interface Departing {
  readonly workspaceId: string;
  readonly memberId: string;
  /** The member, or the owner who removes them. */
  readonly by: string;
  readonly members: readonly store.MemberRow[];
}

async function depart(
  tx: Tx,
  ports: DeparturePorts,
  { workspaceId, memberId, by, members }: Departing,
): Promise<void> {
  const { bus, reports, audit } = ports;
  switch (departure(members, memberId)) {
    case 'last-owner':
      throw lastOwner();
    case 'last-member':
      return deleteWithReports(tx, ports, { workspaceId, deletedBy: by, members });
    case 'allowed':
      // The membership is deleted first. This waits for reports that are being created under it, and prevents more.
      await store.deleteMember(tx, workspaceId, memberId);
      await reports.passOn(tx, workspaceId, memberId, heirOf(members, memberId));
      audit.record(tx, {
        action: memberId === by ? 'member_left' : 'member_removed',
        actorId: by,
        workspaceId,
        subjectId: memberId,
      });
      return bus.publish(tx, topics.user(memberId));
  }
}

async function deleteWithReports(
  tx: Tx,
  { bus, reports, audit }: DeparturePorts,
  { workspaceId, deletedBy, members }: Pick<Departing, 'workspaceId' | 'members'> & { deletedBy: string },
): Promise<void> {
  await reports.expireAll(tx, { workspaceId }, deletedBy);
  await store.deleteWorkspace(tx, workspaceId);
  audit.record(tx, { action: 'workspace_deleted', actorId: deletedBy, workspaceId });
  for (const { userId } of members) await bus.publish(tx, topics.user(userId));
}

/**
 * The workspace with this member's role.
 * @throws AppError NOT_FOUND for everyone else, as for an unknown workspace.
 */
export async function requireMembership(
  db: Db,
  userId: string,
  workspaceId: string,
): Promise<MembershipFacts> {
  const row = isRecordId('ws', workspaceId) ? await store.findMembership(db, userId, workspaceId) : null;
  if (!row) throw new AppError('NOT_FOUND');
  return { workspaceId, kind: row.kind, plan: row.plan, role: row.role };
}

/** @throws AppError FORBIDDEN for members who are not owners. */
export function requireOwner({ role }: MembershipFacts): void {
  if (role !== 'owner')
    throw new AppError('FORBIDDEN', { message: 'Only an owner of the workspace can do this.' });
}

function tooManyTeams(most: number): AppError {
  return new AppError('CONFLICT', {
    message: `You own ${most} team workspaces, which is the limit. Delete one, or use one that you have.`,
  });
}

function lastOwner(): AppError {
  return new AppError('CONFLICT', {
    message: 'A workspace needs an owner. Make another member an owner first.',
  });
}

function personalStays(): AppError {
  return new AppError('CONFLICT', {
    message: 'A personal workspace is deleted only with its account.',
  });
}
