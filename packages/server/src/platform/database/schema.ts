/** The tables, as the queries see them. Times are milliseconds since 1970; flags are 0 or 1, since one database has no booleans. */
import type {
  AnalyticsName,
  AnalyticsSurface,
  AuditAction,
  EffortRequested,
  EffortResolved,
  ExportFormat,
  FindingStatus,
  FixAction,
  Plan,
  PrincipalType,
  ProgressPhase,
  ProgressType,
  ReportState,
  Role,
  SafeCode,
  Severity,
  ShareMode,
  SubscriptionStatus,
  WorkspaceKind,
} from '@svc/contract';
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
  reports: ReportsTable;
  uploads: UploadsTable;
  progressEvents: ProgressEventsTable;
  doomedBlobs: DoomedBlobsTable;
  shares: SharesTable;
  sharePrincipals: SharePrincipalsTable;
  preparedProjections: PreparedProjectionsTable;
  preparedMoves: PreparedMovesTable;
  findingIdentities: FindingIdentitiesTable;
  findingMoves: FindingMovesTable;
  auditLog: AuditLogTable;
  auditCounts: AuditCountsTable;
  supportGrants: SupportGrantsTable;
  supportUses: SupportUsesTable;
  analyticsCounts: AnalyticsCountsTable;
  analyticsSeen: AnalyticsSeenTable;
  subscriptions: SubscriptionsTable;
  billingEvents: BillingEventsTable;
  throttleCounters: ThrottleCountersTable;
  slidingWindows: SlidingWindowsTable;
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
  /** When the password was last given again; null until then. */
  confirmedAt: number | null;
  /** Of the client that signed in; null for sessions from before these were kept. */
  system: string | null;
  browser: string | null;
  network: string | null;
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
  /** Null for one that works until it is revoked. */
  expiresAt: number | null;
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
  /** Of the device that comes of it, as its approval says; null for no end. */
  lifetimeMinutes: number | null;
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
  revokedAt: number | null;
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

/**
 * What is known of a report without its text, which is in a blob. An expired report keeps its row, so that whoever could
 * read it is told that it is gone.
 */
export interface ReportsTable {
  id: string;
  ownerId: string;
  /** Whose device made it; with `localReportId` the key under which a repeated creation finds it. */
  createdBy: string;
  localReportId: string;
  workspaceId: string;
  projectId: string;
  state: ReportState;
  projectName: string | null;
  effortRequested: EffortRequested;
  effortResolved: EffortResolved;
  /** JSON of the agent's and the host's own description. */
  agent: string | null;
  host: string | null;
  createdAt: number;
  finalizedAt: number | null;
  /** Set when it is made, and never changed. */
  expiresAt: number;
  /** When its contents were deleted, by passing `expiresAt` or by hand. */
  expiredAt: number | null;
  /** The quota unit reserved for it, until it is spent. */
  reservationId: string | null;
  /** The key of its contents under the master key; null before the first upload, and again once it is expired. */
  wrappedKey: Uint8Array | null;
  /** The upload that it was finalized with. */
  uploadId: string | null;
  /** The number of its newest progress event; 0 before the first. */
  lastEventNumber: number;
  /** How often what is told of its findings was changed since it was made; part of what its renderings are kept under. */
  amendments: number;
  /** How often it was read under a support grant. */
  supportAccesses: number;
}

/** An upload that was declared, and received once `receivedAt` is set. A newer one of its report takes its row's place. */
export interface UploadsTable {
  id: string;
  reportId: string;
  sha256: Uint8Array;
  sizeBytes: number;
  createdAt: number;
  /** When it lapses, unless something was received under it. */
  expiresAt: number;
  receivedAt: number | null;
  /** The blob that holds what was received. */
  blobName: string | null;
  replacedAt: number | null;
  /** Counts of open findings by severity as JSON, from what was received and what was decided before and since. */
  openFindings: string | null;
  /** Packed by @svc/report: what is kept of each finding to follow it. Read where it is needed, since it can be large. */
  findingMarks: Uint8Array | null;
}

export interface ProgressEventsTable {
  reportId: string;
  /** 1 for a report's first; in the order in which they came. */
  number: number;
  eventId: string;
  type: ProgressType;
  occurredAt: number;
  phase: ProgressPhase | null;
  safeCode: SafeCode | null;
}

/** A link to a report. Of an expired report's links only what decides who is told of the end is left. */
export interface SharesTable {
  id: string;
  reportId: string;
  slugHash: TokenHash;
  /** The owner's own name for it. */
  label: string | null;
  mode: ShareMode;
  passwordHash: PasswordHash | null;
  anonymousAllowed: 0 | 1;
  /** JSON of a SharePolicy; null once the report has expired. */
  defaultPolicy: string | null;
  /** Which prepared projection it reads; null once the report has expired. */
  policyDigest: string | null;
  createdAt: number;
  expiresAt: number | null;
  revokedAt: number | null;
  viewCount: number;
  lastViewedAt: number | null;
  /** When its report expired. */
  endedAt: number | null;
}

/** Whom a share names, in the order in which its owner did. */
export interface SharePrincipalsTable {
  shareId: string;
  position: number;
  type: Exclude<PrincipalType, 'anonymous'>;
  /** An address, or the id of a user or a workspace. */
  value: string;
  /** The account that an address stands for, from the moment at which there is one. */
  userId: string | null;
  label: string | null;
  /** JSON of a SharePolicy; null once the report has expired. */
  policy: string | null;
  /** Which prepared projection they read; null once the report has expired. */
  policyDigest: string | null;
}

/** What the working shares of a report show under one policy. The row is there before its blob is made. */
export interface PreparedProjectionsTable {
  reportId: string;
  policyDigest: string;
  /** The blob that holds the report filtered under the policy; null until it is made. */
  blobName: string | null;
  /** Of what is in the blob. */
  sizeBytes: number | null;
  /** A bit for each finding of the report, in its order: 1 where the policy lists the finding. */
  listed: Uint8Array | null;
  /** How many triage decisions there are about findings that it lists. */
  version: number;
}

/** A triage decision about a finding that a prepared projection lists, in the order of its versions. */
export interface PreparedMovesTable {
  blobName: string;
  /** Of the prepared projection, from this decision on. */
  version: number;
  findingId: string;
  movedAt: number;
  toStatus: FindingStatus;
  action: FixAction | null;
}

/** A finding of a project, whichever reports it was in. */
export interface FindingIdentitiesTable {
  projectId: string;
  /** A keyed digest of its fingerprint. */
  identity: Uint8Array;
  firstSeenAt: number;
  /** To the day. */
  lastSeenAt: number;
  /** As it was left by the newest report that has it, or by a person since. */
  status: FindingStatus;
  /** That it had when it got the status. */
  severity: Severity;
  statusAt: number;
}

/** A person moved a finding of a report to another status. Rows are added and never changed. */
export interface FindingMovesTable {
  reportId: string;
  findingId: string;
  /** The report's count of amendments after it: rises with time. */
  number: number;
  userId: string;
  movedAt: number;
  fromStatus: FindingStatus;
  toStatus: FindingStatus;
  action: FixAction | null;
}

/** What somebody did, by ids, words from fixed lists and times. Rows are added and never changed, and refer to nothing. */
export interface AuditLogTable {
  /** 1 for the first; without gaps. */
  sequence: number;
  id: string;
  at: number;
  action: AuditAction;
  /** Null for somebody without an account, and for the service itself. */
  actorId: string | null;
  workspaceId: string | null;
  reportId: string | null;
  /** What was made, changed or ended: a link, a device, a user, an invitation, a grant. */
  subjectId: string | null;
  /** One word: a role, a plan, a format. */
  detail: string | null;
  /** Of the row before; zeros for the first. */
  previousHash: Uint8Array;
  /** Over all of the above. */
  hash: Uint8Array;
}

/** How often an entry that can be repeated was; not covered by the hashes, since it rises after the entry is written. */
export interface AuditCountsTable {
  /** Of the entry. */
  sequence: number;
  /** The action, the actor or link, the report and the format. */
  repeatKey: string;
  startedAt: number;
  count: number;
}

/** An administrator may read one report until it expires. */
export interface SupportGrantsTable {
  id: string;
  reportId: string;
  administratorId: string;
  /** In the administrator's words; null once the report has expired. */
  reason: string | null;
  createdAt: number;
  expiresAt: number;
  revokedAt: number | null;
  uses: number;
  lastUsedAt: number | null;
}

/** A report was read under a grant. */
export interface SupportUsesTable {
  grantId: string;
  /** 1 for the first of the grant. */
  number: number;
  usedAt: number;
}

/** How often something happened on a day. Empty text stands for what was not said. */
export interface AnalyticsCountsTable {
  /** `2026-01-31`, in UTC, by when the service was told. */
  day: string;
  name: AnalyticsName;
  surface: AnalyticsSurface | '';
  format: ExportFormat | '';
  clientVersion: string;
  count: number;
}

/** An event that was counted, so that it is not counted again. */
export interface AnalyticsSeenTable {
  /** A keyed digest of the account and the event's id, which says neither. */
  digest: Uint8Array;
  /** As above. */
  day: string;
}

/** A subscription as the newest event of the payment provider left it; kept as long as its workspace. */
export interface SubscriptionsTable {
  /** The provider's own. */
  id: string;
  workspaceId: string;
  status: SubscriptionStatus;
  /** Null when it pays for nothing, and what it paid for is not known. */
  plan: Plan | null;
  currentPeriodEnd: number | null;
  cancelAtPeriodEnd: 0 | 1;
  /** Of that event: the time at which the provider made it, its place among those of one second, and its id. */
  eventAt: number;
  eventRank: number;
  eventId: string;
}

/** Events that were received, so that each counts once. */
export interface BillingEventsTable {
  id: string;
  receivedAt: number;
}

/** Blobs that nothing refers to any more and that are still to be deleted. */
export interface DoomedBlobsTable {
  blobName: string;
  doomedAt: number;
}

export interface ThrottleCountersTable {
  key: string;
  used: number;
  /** Of those used: what will not be given back. */
  confirmed: number;
  windowEndsAt: number;
}

export interface SlidingWindowsTable {
  key: string;
  /** What may still count, as JSON of platform/counters/sliding-window.ts. */
  takes: string;
  /** When none of it counts any more. */
  endsAt: number;
}

/** Facts of the deployment itself, such as which master key it was made with. */
export interface DeploymentTable {
  name: string;
  value: string;
}
