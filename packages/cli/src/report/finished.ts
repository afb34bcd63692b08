/** Finished local reports, with the frozen body that is, or was, sent. */
import type { CanonicalReport } from '@svc/report';
import type { Invocation } from '../command.ts';
import { CliError } from '../errors.ts';
import { frozenReport } from '../store/freezing.ts';
import { ownerOf } from '../store/leases.ts';
import type { LocalReport } from '../store/local-report.ts';
import type { Store } from '../store/store.ts';
import { anyReport } from './picked.ts';

export interface FinishedLocalReport {
  readonly local: LocalReport;
  readonly report: CanonicalReport;
}

/**
 * The report in `--report`, or the newest of this repository.
 * @throws CliError when there is none, or it is not finished.
 */
export async function finishedReport(
  store: Store,
  invocation: Pick<Invocation, 'options' | 'folder'>,
): Promise<FinishedLocalReport> {
  return frozenOf(store, await anyReport(store, invocation, ['finished', 'synced']));
}

/** @throws CliError when the report is not finished. */
export function frozenOf(store: Store, local: LocalReport): FinishedLocalReport {
  const { localReportId, state } = local;
  const frozen = frozenReport(store, localReportId);
  if (frozen !== undefined)
    return { local, report: store.parsed<CanonicalReport>(Buffer.from(frozen.bytes).toString()) };
  if (state === 'scanning') throw stillScanning(store, localReportId);
  throw new CliError('failed', `The report ${localReportId} was aborted, not finished.`, {
    hint: `Show its findings: svc report show --report ${localReportId}`,
  });
}

function stillScanning(store: Store, localReportId: string): CliError {
  const isRun = ownerOf(store, localReportId, Date.now()) !== undefined;
  return new CliError('failed', `The report ${localReportId} is not finished.`, {
    hint: isRun
      ? `Its scan is running: svc watch --report ${localReportId}`
      : `End it: svc scan finish --report ${localReportId}`,
  });
}
