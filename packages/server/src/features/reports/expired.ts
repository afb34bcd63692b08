/** When a report has expired. */
import type { ReportState } from '@svc/contract';
import { AppError } from '#app-error';
import type { ReportRow } from './store.ts';

/**
 * The clock decides; the sweeper only cleans up.
 * @throws AppError REPORT_EXPIRED
 */
export function rejectExpired<Row extends Pick<ReportRow, 'state' | 'expiresAt'>>(
  row: Row,
  now: number,
): asserts row is Row & { readonly state: Exclude<ReportState, 'expired'> } {
  if (row.state === 'expired' || row.expiresAt <= now) throw new AppError('REPORT_EXPIRED');
}
