/**
 * The tables, as queries see them. Times are milliseconds since 1970; flags are 0 or 1, because SQLite has no booleans.
 */
import type {
  AnalyticsName,
  AnalyticsSurface,
  AuditAction,
  DecisionReason,
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
  pendingDeletions: PendingDeletionsTable;
  shares: SharesTable;
  sharePrincipals: SharePrincipalsTable;
  preparedProjections: PreparedProjectionsTable;
  preparedStatusChanges: PreparedStatusChangesTable;
  projectFindings: ProjectFindingsTable;
  statusChanges: StatusChangesTable;
  findingDecisions: FindingDecisionsTable;
  findingDays: FindingDaysTable;
  findingToolDays: FindingToolDaysTable;
  findingFixes: FindingFixesTable;
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
  /** The address, trimmed and lower-cased. */
  email: string;
  displayName: string;
  passwordHash: PasswordHash;
  recoveryCodeHash: PasswordHash;
  /** Whether the account signed up under the address that was the platform administrator's at that time. */
  adminFlag: 0 | 1;
  createdAt: number;
}

export interface SessionsTable {
  id: string;
  userId: string;
  tokenHash: TokenHash;
  /** The system of the client that signed in. */
  system: string;
  browser: string;
  network: string;
  createdAt: number;
  /** The last use, to the hour. */
  lastSeenAt: number;
  expiresAt: number;
  /** When the password was last entered again; null until then. */
  confirmedAt: number | null;
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
  /** The last use, to the hour. */
  lastSeenAt: number;
  /** Null for a device that works until it is revoked. */
  expiresAt: number | null;
  revokedAt: number | null;
}

export interface DeviceLinksTable {
  requestIdHash: TokenHash;
  verifierHash: Uint8Array;
  deviceName: string;
  clientVersion: string;
  osFamily: string;
  arch: string;
  /** The lifetime of the device's credential, as approved; null for no expiry. */
  lifetimeMinutes: number | null;
  approvedBy: string | null;
  wrongVerifiers: number;
  createdAt: number;
  expiresAt: number;
  deniedAt: number | null;
  consumedAt: number | null;
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
  acceptedBy: string | null;
  createdAt: number;
  expiresAt: number;
  revokedAt: number | null;
}

export interface ProjectsTable {
  id: string;
  workspaceId: string;
  name: string;
  bindingPublicId: string;
  /** Counts of the open findings by severity, as JSON; null before the first finalized report. */
  openFindings: string | null;
  /** Raised with every change of what is present or decided. */
  findingsVersion: number;
  /** How many reports the project has counted; the position of the newest one. */
  reportsCounted: number;
  /** How many triage decisions were made; the number of the newest one. */
  decisionsMade: number;
  /** The key of the notes of its decisions, wrapped by the master key; null before the first note. */
  notesKey: Uint8Array | null;
  /** The size of the notes of its decisions. */
  notesBytes: number;
  /** 1 when a report of the project has ended since the project's notes were last checked. */
  notesToCheck: 0 | 1;
  createdAt: number;
  lastReportAt: number | null;
  /** No later than the next lapse of a decision that `openFindings` counts as set aside; null when none lapses. */
  lapsesAt: number | null;
}

export interface QuotaUsageTable {
  userId: string;
  window: 'daily' | 'weekly';
  startsAt: number;
  /** The number of spent and reserved units together. */
  used: number;
}

/** A reserved unit. The row is deleted when the unit is spent or released, or lapses. */
export interface QuotaReservationsTable {
  id: string;
  userId: string;
  dayStartsAt: number;
  weekStartsAt: number;
  lapsesAt: number;
}

/**
 * The metadata of a report; its body is in a blob. An expired report keeps its row as a tombstone, so that those who
 * could read it get REPORT_EXPIRED.
 */
export interface ReportsTable {
  id: string;
  ownerId: string;
  /** The account whose device created it; with `localReportId` the key by which a repeated creation finds it. */
  createdBy: string;
  localReportId: string;
  workspaceId: string;
  projectId: string;
  projectName: string | null;
  effortRequested: EffortRequested;
  effortResolved: EffortResolved;
  /** The JSON that the agent and the host sent about themselves. */
  agent: string | null;
  host: string | null;
  state: ReportState;
  /** The upload with which the report was finalized. */
  uploadId: string | null;
  /** The quota unit reserved for the report, until it is spent. */
  reservationId: string | null;
  /**
   * The key of the report's blobs and messages, wrapped by the master key; null while nothing is sealed under it, and
   * once the report has expired.
   */
  wrappedKey: Uint8Array | null;
  /** The number of the report's newest progress event; 0 before the first. */
  lastEventNumber: number;
  /** How often the report's findings changed on the service; part of the key of its cached renderings. */
  overlayVersion: number;
  /** How often the report was read under a support grant. */
  supportAccesses: number;
  /**
   * The report's position in the order in which its project counts reports; 0 for a report that changes nothing; null
   * until it is counted.
   */
  countedAs: number | null;
  /** How many findings of its project became open with the report; null when it was not counted as it became final. */
  openedFindings: number | null;
  /** How many open findings of its project the report looked for and lacks; null like `openedFindings`. */
  fixedFindings: number | null;
  createdAt: number;
  finalizedAt: number | null;
  /** Set at creation. Moved to an earlier time only when the report has lost its body. */
  expiresAt: number;
  /** When the content was deleted, because `expiresAt` passed or a person deleted the report. */
  expiredAt: number | null;
  /** No later than the next lapse of a decision about one of its findings; null when none lapses. */
  lapsesAt: number | null;
}

/** A declared upload, received once `receivedAt` is set. A newer one of the same report sets `replacedAt`. */
export interface UploadsTable {
  id: string;
  reportId: string;
  sha256: Uint8Array;
  sizeBytes: number;
  /** The blob of the received body. */
  blobName: string | null;
  /** Counts of open findings by severity as JSON, from the body and all triage decisions. */
  openFindings: string | null;
  createdAt: number;
  /** When the upload lapses, unless a body was received. */
  expiresAt: number;
  receivedAt: number | null;
  replacedAt: number | null;
  /**
   * The finding snapshots, packed by @svc/report. Like the other two, null until the body is received, and read only
   * where needed, because they can be large.
   */
  findingSnapshots: Uint8Array | null;
  /** The facts about the findings and the scan, packed by @svc/report. */
  findingFacts: Uint8Array | null;
  /** What lists show of the findings, compressed and sealed. */
  findingTexts: Uint8Array | null;
}

export interface ProgressEventsTable {
  reportId: string;
  /** 1 for a report's first event; in the order of arrival. */
  number: number;
  eventId: string;
  type: ProgressType;
  phase: ProgressPhase | null;
  safeCode: SafeCode | null;
  occurredAt: number;
}

/** Blobs pending deletion. */
export interface PendingDeletionsTable {
  blobName: string;
  pendingSince: number;
}

/** A share of a report. When the report expires, only the columns that decide who gets REPORT_EXPIRED are kept. */
export interface SharesTable {
  id: string;
  reportId: string;
  /** An account, which may have been deleted since; null once the report has expired. */
  createdBy: string | null;
  slugHash: TokenHash;
  /** The owner's own name for the share. */
  label: string | null;
  mode: ShareMode;
  passwordHash: PasswordHash | null;
  anonymousAllowed: 0 | 1;
  showSender: 0 | 1;
  /**
   * The prepared projection that the share reads; null under a policy that hides nothing, and once the report has
   * expired.
   */
  policyDigest: string | null;
  /** How often the policies of the share changed. */
  policyVersion: number;
  viewCount: number;
  createdAt: number;
  expiresAt: number | null;
  revokedAt: number | null;
  /** When the report of the share expired. */
  endedAt: number | null;
  lastViewedAt: number | null;
  /** The message for viewers, sealed under the report's key. */
  message: Uint8Array | null;
  /** JSON of a SharePolicy; null once the report has expired. */
  defaultPolicy: string | null;
}

/** The principals that a share names, in the order in which its creator named them. */
export interface SharePrincipalsTable {
  shareId: string;
  position: number;
  type: Exclude<PrincipalType, 'anonymous'>;
  /** An address, or the id of a user or a workspace. */
  value: string;
  /** The account that an address stands for, once there is one. */
  userId: string | null;
  label: string | null;
  /**
   * The prepared projection that the principal reads; null under a policy that hides nothing, and once the report has
   * expired.
   */
  policyDigest: string | null;
  /** JSON of a SharePolicy; null once the report has expired. */
  policy: string | null;
}

/** The report filtered under one policy of its active shares. The row is inserted before its blob is created. */
export interface PreparedProjectionsTable {
  reportId: string;
  policyDigest: string;
  /** The blob with the filtered report; null until it is created. */
  blobName: string | null;
  /** The size of the filtered report. */
  sizeBytes: number | null;
  /** The number of triage decisions about the listed findings, and of the ends of such decisions. */
  version: number;
  /** No later than the next lapse of a decision about a listed finding; null when none lapses. */
  lapsesAt: number | null;
  /** One bit for each finding of the report, in order: 1 if the policy lists the finding. */
  listed: Uint8Array | null;
}

/** A triage decision about a finding that a prepared projection lists, in the order of its versions. */
export interface PreparedStatusChangesTable {
  blobName: string;
  /** The version of the prepared projection after this decision. */
  version: number;
  findingId: string;
  toStatus: FindingStatus;
  action: FixAction | null;
  changedAt: number;
}

/** What a project knows about a finding, in any of its reports. */
export interface ProjectFindingsTable {
  projectId: string;
  /** A keyed digest of the finding's fingerprint. */
  identity: Uint8Array;
  /** A keyed digest of the name of the tool that found it; null if it was never present. */
  tool: Uint8Array | null;
  isWeak: 0 | 1;
  /** The status in the newest report that has the finding, or after a later triage decision. */
  status: FindingStatus;
  /** The severity when the finding got this status. */
  severity: Severity;
  /** The number of the decision that gave the status; null when a report gave it. */
  decision: number | null;
  /** Whether the finding counts among the open findings of its project. */
  isOpen: 0 | 1;
  /** Whether a report has the finding, and no later report that looked for the finding lacks it. */
  present: 0 | 1;
  /** The position (`countedAs`) of the first report that keeps the finding present under this identity. */
  presentFrom: number | null;
  /** The worst severity in the newest report that has the finding. */
  presentSeverity: Severity | null;
  /** Whether one of the reports from `presentFrom` on that have the finding has expired. */
  isHeld: 0 | 1;
  firstSeenAt: number;
  /** The day on which the finding was last seen. */
  lastSeenAt: number;
  statusAt: number;
  /** When that decision lapses. */
  until: number | null;
  /** Keyed digests of the coverage areas of the tool, one after the other. */
  areas: Uint8Array | null;
  /** Earlier identities, each with the positions of the reports that have the finding under it. */
  earlierIdentities: Uint8Array | null;
}

/** A change of the status of a finding in one report: a triage decision, or the end of one. */
export interface StatusChangesTable {
  reportId: string;
  findingId: string;
  /** The report's `overlayVersion` after the change, which rises with time. */
  number: number;
  userId: string;
  /** The number of the decision in its project. */
  decision: number;
  fromStatus: FindingStatus;
  toStatus: FindingStatus;
  action: FixAction | null;
  /** 1 for the end of a decision by the clock, which returns the finding to `open`; the user is then empty. */
  isLapse: 0 | 1;
  changedAt: number;
  /** When the decision lapses. */
  until: number | null;
}

/** A triage decision. The status changes that it makes in reports are in `statusChanges`. */
export interface FindingDecisionsTable {
  projectId: string;
  /** 1 for the first of the project; without gaps, except where decisions were deleted. */
  number: number;
  identity: Uint8Array;
  /** The report in which the decision was made. */
  reportId: string;
  findingId: string;
  userId: string;
  /** Common to all decisions of one call. */
  undoId: string;
  status: FindingStatus;
  severity: Severity;
  reason: DecisionReason | null;
  decidedAt: number;
  until: number | null;
  /** The status in the project until then, for undoing; null when the project did not know the finding. */
  previousStatus: FindingStatus | null;
  /** The severity when the finding got that status. */
  previousSeverity: Severity | null;
  /** The number of the decision that gave that status; null when none did. */
  previousDecision: number | null;
  /** Sealed under the project's key of notes; null without a note, and once no remaining report has the finding. */
  note: Uint8Array | null;
}

/**
 * What happened to the findings of a project on a day. A day without a row ends like the day before, and nothing
 * happened on it.
 */
export interface FindingDaysTable extends FindingCounts {
  projectId: string;
  /** `2026-01-31`, in UTC. */
  day: string;
}

/** The same for one tool. A finding of several tools counts for each of them. */
export interface FindingToolDaysTable extends FindingCounts {
  projectId: string;
  day: string;
  /** A keyed digest of the tool's name. */
  tool: Uint8Array;
}

interface FindingCounts {
  /** The open findings by severity at the end of the day, or now. */
  critical: number;
  high: number;
  medium: number;
  low: number;
  info: number;
  opened: number;
  fixed: number;
  setAside: number;
}

/** An open finding that was fixed. */
export interface FindingFixesTable {
  projectId: string;
  identity: Uint8Array;
  /** A keyed digest of the name of its tool. */
  tool: Uint8Array;
  severity: Severity;
  firstSeenAt: number;
  fixedAt: number;
}

/** What an actor did, in ids, enum values and times. Rows are added and never changed, and have no foreign keys. */
export interface AuditLogTable {
  /** 1 for the first; without gaps. */
  sequence: number;
  id: string;
  at: number;
  action: AuditAction;
  /** Null for an actor without an account, and for the service. */
  actorId: string | null;
  workspaceId: string | null;
  reportId: string | null;
  /** What was created, changed or ended: a share, a device, a user, an invitation, a grant. */
  subjectId: string | null;
  /** A role, a plan, a format, or a status with the number of findings. */
  detail: string | null;
  /** The hash of the previous row; zeros for the first. */
  previousHash: Uint8Array;
  /** The hash over all columns above. */
  hash: Uint8Array;
}

/** How often an entry was repeated. Not covered by the hashes, because it rises after the entry is written. */
export interface AuditCountsTable {
  /** The sequence of the entry. */
  sequence: number;
  /**
   * The action, the actor or share, the report and the format; for daily entries the action, the actor, the subject and
   * the workspace.
   */
  repeatKey: string;
  count: number;
  startedAt: number;
}

/** Lets an administrator read one report until the grant expires. */
export interface SupportGrantsTable {
  id: string;
  reportId: string;
  administratorId: string;
  /** Written by the administrator; null once the report has expired. */
  reason: string | null;
  uses: number;
  createdAt: number;
  expiresAt: number;
  revokedAt: number | null;
  lastUsedAt: number | null;
}

/** A report read under a grant. */
export interface SupportUsesTable {
  grantId: string;
  /** 1 for the first of the grant. */
  number: number;
  usedAt: number;
}

/** How often an event happened on a day. An empty string means that the value was absent. */
export interface AnalyticsCountsTable {
  /** `2026-01-31`, in UTC, of the day of reception. */
  day: string;
  name: AnalyticsName;
  surface: AnalyticsSurface | '';
  format: ExportFormat | '';
  clientVersion: string;
  count: number;
}

/** An event that was counted, so that it is not counted again. */
export interface AnalyticsSeenTable {
  /** A keyed digest of the account and the event's id, which reveals neither. */
  digest: Uint8Array;
  /** `2026-01-31`, in UTC, of the day of reception. */
  day: string;
}

/** A subscription in the state of its newest event; stored as long as its workspace. */
export interface SubscriptionsTable {
  /** The id that the payment provider gave the subscription. */
  id: string;
  workspaceId: string;
  /** Null when the subscription pays for nothing and its plan is unknown. */
  plan: Plan | null;
  status: SubscriptionStatus;
  cancelAtPeriodEnd: 0 | 1;
  currentPeriodEnd: number | null;
  /** The newest event: when the provider created it, its rank within one second, and its id. */
  eventAt: number;
  eventRank: number;
  eventId: string;
}

/** Received events, so that each counts once. */
export interface BillingEventsTable {
  id: string;
  receivedAt: number;
}

export interface ThrottleCountersTable {
  key: string;
  used: number;
  /** The takes among `used` that will not be given back. */
  confirmed: number;
  windowEndsAt: number;
}

export interface SlidingWindowsTable {
  key: string;
  /** Takes that may still count, as JSON of platform/counters/sliding-window.ts. */
  takes: string;
  /** When the last of the takes stops counting. */
  endsAt: number;
}

/** Named facts about the deployment, such as which master key is in use. */
export interface DeploymentTable {
  name: string;
  value: string;
}
