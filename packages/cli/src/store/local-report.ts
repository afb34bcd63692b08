/**
 * A local report.
 *
 * `scanning` → `finished` → `synced`, or `scanning` → `aborted`. Findings are added while it is scanning. From `finished`
 * on, a frozen report exists: the body to send, which agrees with the findings. Until `synced`, statuses may still change,
 * and the body is then written again in the same transaction.
 */
import type { EffortRequested, EffortResolved, MovedIdentity } from '@svc/contract';
import type { CanonicalReport } from '@svc/report';
import type { SizeReduction } from '@svc/report/making/fit-size';
import type { ScannedPart } from '../report/scanned-part.ts';

export type LocalReportState = 'scanning' | 'finished' | 'synced' | 'aborted';

export type Agent = CanonicalReport['scan']['agent'];
export type Host = CanonicalReport['scan']['host'];
export type Authorization = CanonicalReport['authorization'];
export type Tool = NonNullable<CanonicalReport['scan']['tools']>[number];
export type CoverageArea = CanonicalReport['coverageAreas'][number];

/** Facts about the repository and the scan. Times are RFC 3339, UTC. */
export interface ScanFacts {
  readonly startedAt: string;
  readonly finishedAt?: string;
  readonly commit?: string;
  readonly branch?: string;
  /** The URL without credentials. */
  readonly repositoryUrl?: string;
  readonly defaultBranch?: string;
  readonly languages?: readonly string[];
  readonly fileCount?: number;
  /** The part of a partial scan; absent for the whole repository. Not sent. */
  readonly part?: ScannedPart;
  readonly tools: readonly Tool[];
}

/** The service's responses so far, from which an interrupted sync continues. */
export interface SyncState {
  /** The service, such as `https://svc.example.com`, because its ids have no meaning in another. */
  readonly origin?: string;
  readonly workspaceId?: string;
  readonly projectId?: string;
  readonly reportId?: string;
  readonly reportUrl?: string;
  readonly expiresAt?: string;
  readonly uploadId?: string;
  /** The digest of the bytes for which the upload was declared. */
  readonly uploadSha256?: string;
  /** The service has all bytes of the upload. */
  readonly isReceived: boolean;
  /** The largest report that the service accepts, if a rejection named it; `limits.reportBytesMaxDefault` otherwise. */
  readonly reportBytesMax?: number;
  readonly finalizedAt?: string;
  readonly lastFailure?: SyncFailure;
}

export interface SyncFailure {
  /** The service's error code, or the client's own. */
  readonly code: string;
  readonly at: string;
  readonly phase: SyncPhase;
  /** Absent for an error that is not a `CliError`. */
  readonly message?: string;
  /** What to do next. */
  readonly hint?: string;
}

export type SyncPhase = 'create' | 'progress' | 'upload' | 'finalize' | 'abort';

/** The fields that no query selects by. Their texts contain no secrets. */
export interface ReportDetails {
  readonly projectName: string;
  readonly bindingPublicId?: string;
  readonly effortRequested: EffortRequested;
  readonly effortResolved: EffortResolved;
  readonly agent: Agent;
  readonly host: Host;
  readonly authorization: Authorization;
  /** When false, for example after `--no-sync`, only a sync that names the report sends it. */
  readonly isSyncWanted: boolean;
  readonly scan: ScanFacts;
  /**
   * The number of accepted submissions and of imported results. `duplicateCount` of them were merged into earlier
   * findings.
   */
  readonly candidateCount: number;
  readonly duplicateCount: number;
  readonly coverage: readonly string[];
  readonly coverageAreas: readonly CoverageArea[];
  readonly limitations: readonly string[];
  /** The number of secrets removed from what was stored. */
  readonly redactions: number;
  /** What imports left out or changed. */
  readonly warnings: readonly string[];
  /**
   * Fingerprints by which the service may still know findings of renamed files and moved lines; absent during the scan.
   */
  readonly moves?: readonly MovedIdentity[];
  /**
   * What the frozen report lost to fit the size limit; null or absent if it lost nothing. The stored findings are
   * complete.
   */
  readonly fitted?: SizeReduction | null;
  readonly sync: SyncState;
}

export interface LocalReport extends ReportDetails {
  readonly localReportId: string;
  /** Absolute, without symbolic links. Stays on this machine. */
  readonly repositoryRoot: string;
  readonly state: LocalReportState;
  readonly createdAt: string;
}
