/** A usage event that a command records: a name from the contract, and at most the ids that it is about. */
import type { AnalyticsName, ExportFormat } from '@svc/contract';

export interface UsageDetails {
  readonly format?: ExportFormat;
  /** The report in the service. These ids are sent only to the service that confirmed them. */
  readonly sync?: {
    readonly origin?: string;
    readonly workspaceId?: string;
    readonly projectId?: string;
    readonly reportId?: string;
  };
}

export interface UsageEvent {
  readonly name: AnalyticsName;
  readonly at: Date;
  readonly about: UsageDetails;
}

/** Only records the event; usage.ts decides what to do with it when the command has ended. */
export type RecordUsage = (name: AnalyticsName, about?: UsageDetails) => void;
