/**
 * A report as this machine knows it.
 *
 * `scanning` → `finished` → `synced`, or `scanning` → `aborted`. Findings come in while it is scanning. From `finished`
 * on there is a frozen report, the bytes that are sent, and it says what the findings say; until `synced` statuses may
 * still change, and then the bytes are made anew in the same step.
 */
import type { EffortRequested, EffortResolved } from '@svc/contract';
import type { CanonicalReport } from '@svc/report';

export type LocalReportState = 'scanning' | 'finished' | 'synced' | 'aborted';

export type Agent = CanonicalReport['scan']['agent'];
export type Host = CanonicalReport['scan']['host'];
export type Authorization = CanonicalReport['authorization'];
export type Tool = NonNullable<CanonicalReport['scan']['tools']>[number];
export type CoverageArea = CanonicalReport['coverageAreas'][number];

/** What is known of the repository and of the scan's course. Times are RFC 3339, UTC. */
export interface ScanFacts {
  readonly startedAt: string;
  readonly finishedAt?: string;
  readonly commit?: string;
  readonly branch?: string;
  /** Without credentials. */
  readonly repositoryUrl?: string;
  readonly defaultBranch?: string;
  readonly languages?: readonly string[];
  readonly fileCount?: number;
  readonly tools: readonly Tool[];
}

/** What came of the service's answers, so that a sync goes on where one was cut short. */
export interface SyncState {
  /** Of the service, such as `https://svc.example.com`: ids of one service say nothing to another. */
  readonly origin?: string;
  readonly workspaceId?: string;
  readonly projectId?: string;
  readonly reportId?: string;
  readonly reportUrl?: string;
  readonly expiresAt?: string;
  readonly uploadId?: string;
  /** Of the bytes that the upload was declared for. */
  readonly uploadSha256?: string;
  /** The service has all bytes of the upload. */
  readonly isReceived: boolean;
  readonly finalizedAt?: string;
  readonly lastFailure?: SyncFailure;
}

export interface SyncFailure {
  /** The service's error code, or the client's word for what stood in the way. */
  readonly code: string;
  readonly at: string;
  readonly phase: SyncPhase;
}

export type SyncPhase = 'create' | 'progress' | 'upload' | 'finalize' | 'abort';

/** Everything but what queries ask for. Texts in it hold no secrets. */
export interface ReportDetails {
  readonly projectName: string;
  readonly bindingPublicId?: string;
  readonly effortRequested: EffortRequested;
  readonly effortResolved: EffortResolved;
  readonly agent: Agent;
  readonly host: Host;
  readonly authorization: Authorization;
  /** False after `--no-sync`: only a sync that names the report sends it. */
  readonly isSyncWanted: boolean;
  readonly scan: ScanFacts;
  /** Submissions and imported results, and those of them that were merged into earlier ones. */
  readonly candidateCount: number;
  readonly duplicateCount: number;
  readonly coverage: readonly string[];
  readonly coverageAreas: readonly CoverageArea[];
  readonly limitations: readonly string[];
  /** Secrets taken out of what was stored. */
  readonly redactions: number;
  /** What imports left out or changed. */
  readonly warnings: readonly string[];
  readonly sync: SyncState;
}

export interface LocalReport extends ReportDetails {
  readonly localReportId: string;
  /** Absolute, without symbolic links. Stays on this machine. */
  readonly repositoryRoot: string;
  readonly state: LocalReportState;
  readonly createdAt: string;
}
