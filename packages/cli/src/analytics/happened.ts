/** What a command tells of that is counted: a name of the contract, and at most where in the service it was. */
import type { AnalyticsName, ExportFormat } from '@svc/contract';

export interface About {
  readonly format?: ExportFormat;
  /** What is known of a report in the service; its ids are told when the service has confirmed them, and to no other. */
  readonly sync?: {
    readonly origin?: string;
    readonly workspaceId?: string;
    readonly projectId?: string;
    readonly reportId?: string;
  };
}

export interface Happening {
  readonly name: AnalyticsName;
  readonly at: Date;
  readonly about: About;
}

/** Only remembers it; what becomes of it is decided when the command has ended (usage.ts). */
export type Happened = (name: AnalyticsName, about?: About) => void;
