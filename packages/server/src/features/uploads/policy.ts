/** In which state an upload takes what. */
import type { ReportState } from '@svc/contract';

export interface UploadFacts {
  readonly expiresAt: number;
  readonly receivedAt: number | null;
  readonly replacedAt: number | null;
}

/** Why nothing can be sent under an upload (any more); null when something can. */
export type Closed = 'final' | 'replaced' | 'lapsed';

export function closedBecause(
  upload: UploadFacts,
  report: { readonly state: ReportState },
  now: number,
): Closed | null {
  if (report.state !== 'live') return 'final';
  if (upload.replacedAt !== null) return 'replaced';
  // What was received lives until it is replaced or final.
  return upload.receivedAt === null && upload.expiresAt <= now ? 'lapsed' : null;
}

/** True when a report can be finalized with it. */
export function isReceived(upload: UploadFacts): boolean {
  return upload.receivedAt !== null && upload.replacedAt === null;
}
