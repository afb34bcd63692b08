/** Stores why a report was not synced, so that `svc sync` can show it later. */
import { redactText } from '@svc/report';
import { CliError } from '../errors.ts';
import { cut } from '@svc/report/making/texts';
import type { SyncPhase } from '../store/local-report.ts';
import type { Store } from '../store/store.ts';
import { recordSyncFailure } from '../store/sync-state.ts';
import { safeLine } from '../terminal/safe-text.ts';
import { kept } from './rejected.ts';

const TEXT_LENGTH_MAX = 500;

export function noteFailure(store: Store, localReportId: string, phase: SyncPhase, error: unknown): void {
  const at = new Date().toISOString();
  if (!(error instanceof CliError)) {
    recordSyncFailure(store, localReportId, { code: 'failed', at, phase });
    return;
  }
  const { code, reason, message, hint } = kept(error);
  recordSyncFailure(store, localReportId, {
    code: code ?? reason,
    at,
    phase,
    message: storable(message),
    ...(hint !== undefined && { hint: storable(hint) }),
  });
}

/** The text may contain the service's own words. */
function storable(text: string): string {
  return cut(redactText(safeLine(text)).text, TEXT_LENGTH_MAX);
}
