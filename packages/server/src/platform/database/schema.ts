/** The tables, as the queries see them. Times are milliseconds since 1970; flags are 0 or 1, since one database has no booleans. */
import type { Plan, Role, WorkspaceKind } from '@svc/contract';
import type { PasswordHash } from '../password-hash.ts';
import type { TokenHash } from '../tokens.ts';

export interface Tables {
  users: UsersTable;
  sessions: SessionsTable;
  devices: DevicesTable;
  deviceLinks: DeviceLinksTable;
  workspaces: WorkspacesTable;
  memberships: MembershipsTable;
  invitations: InvitationsTable;
  projects: ProjectsTable;
  quotaUsage: QuotaUsageTable;
  quotaReservations: QuotaReservationsTable;
  throttleCounters: ThrottleCountersTable;
  deployment: DeploymentTable;
}

export interface UsersTable {
  id: string;
  /** Trimmed and lower-cased. */
  email: string;
  displayName: string;
  passwordHash: PasswordHash;
  recoveryCodeHash: PasswordHash;
  /** Signed up under the administrator's address of that time. */
  adminFlag: 0 | 1;
  createdAt: number;
}

export interface SessionsTable {
  id: string;
  userId: string;
  tokenHash: TokenHash;
  createdAt: number;
  /** To the hour. */
  lastSeenAt: number;
  expiresAt: number;
}

export interface DevicesTable {
  id: string;
  userId: string;
  tokenHash: TokenHash;
  name: string;
  clientVersion: string;
  osFamily: string;
  arch: string;
  createdAt: number;
  /** To the hour. */
  lastSeenAt: number;
  revokedAt: number | null;
}

export interface DeviceLinksTable {
  requestIdHash: TokenHash;
  verifierHash: Uint8Array;
  deviceName: string;
  clientVersion: string;
  osFamily: string;
  arch: string;
  createdAt: number;
  expiresAt: number;
  approvedBy: string | null;
  deniedAt: number | null;
  consumedAt: number | null;
  wrongVerifiers: number;
}

export interface WorkspacesTable {
  id: string;
  name: string;
  kind: WorkspaceKind;
  plan: Plan;
  createdAt: number;
}

export interface MembershipsTable {
  workspaceId: string;
  userId: string;
  role: Role;
  joinedAt: number;
}

export interface InvitationsTable {
  id: string;
  workspaceId: string;
  tokenHash: TokenHash;
  invitedBy: string;
  createdAt: number;
  expiresAt: number;
  acceptedBy: string | null;
}

export interface ProjectsTable {
  id: string;
  workspaceId: string;
  name: string;
  bindingPublicId: string;
  createdAt: number;
  lastReportAt: number | null;
  /** Counts by severity as JSON, of the newest finalized report. */
  openFindings: string | null;
}

export interface QuotaUsageTable {
  userId: string;
  window: 'daily' | 'weekly';
  startsAt: number;
  /** Spent and reserved together. */
  used: number;
}

/** A row is a unit that is reserved: it goes when the unit is spent, released or lapsed. */
export interface QuotaReservationsTable {
  id: string;
  userId: string;
  dayStartsAt: number;
  weekStartsAt: number;
  lapsesAt: number;
}

export interface ThrottleCountersTable {
  key: string;
  used: number;
  windowEndsAt: number;
}

/** Facts of the deployment itself, such as which master key it was made with. */
export interface DeploymentTable {
  name: string;
  value: string;
}
