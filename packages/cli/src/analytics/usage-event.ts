/** A usage event that a command records: a name from the contract, the ids of what it is about, and a format. */
import type { AnalyticsName, ExportFormat } from '@svc/contract';

export interface UsageDetails {
  readonly format?: ExportFormat;
  /** The report on the service. These ids are sent only to the service that confirmed them. */
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
