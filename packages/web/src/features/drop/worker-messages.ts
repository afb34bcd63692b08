/** The messages between the page and the program that reads logs. */
import type { LogSummary } from '@svc/report/making/read-log';
import type { RejectedLog } from '@svc/report/making/rejected-log';
import type { LogReportOptions } from '@svc/report/making/report-of-log';

export type Asked =
  | { readonly kind: 'read'; readonly file: File }
  | { readonly kind: 'make'; readonly options: LogReportOptions };

export interface MadeBody {
  /** The canonical report, JSON in UTF-8. As a blob it never occupies the thread of the page. */
  readonly blob: Blob;
  /** What the upload declares about it. */
  readonly declared: { readonly sha256: string; readonly byteLength: number };
}

export type Told =
  | { readonly kind: 'read'; readonly summary: LogSummary }
  | { readonly kind: 'rejected'; readonly rejected: RejectedLog }
  | { readonly kind: 'made'; readonly made: MadeBody }
  | { readonly kind: 'failed' };
