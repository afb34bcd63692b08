/** Reports of this machine that are finished: what was frozen of them, which is what is, or was, sent. */
import type { CanonicalReport } from '@svc/report';
import type { Invocation } from '../command.ts';
import { CliError } from '../errors.ts';
import { frozenReport } from '../store/freezing.ts';
import type { LocalReport } from '../store/local-report.ts';
import type { Store } from '../store/store.ts';
import { anyReport } from './picked.ts';

export interface FinishedLocalReport {
  readonly local: LocalReport;
  readonly report: CanonicalReport;
}

/** That `--report` names, or the newest of this repository. @throws CliError when there is none, or it is not finished. */
export async function finishedReport(
  store: Store,
  invocation: Pick<Invocation, 'options' | 'folder'>,
): Promise<FinishedLocalReport> {
  return frozenOf(store, await anyReport(store, invocation, ['finished', 'synced']));
}

/** @throws CliError when it is not finished. */
export function frozenOf(store: Store, local: LocalReport): FinishedLocalReport {
  const { localReportId, state } = local;
  const frozen = frozenReport(store, localReportId);
  if (frozen !== undefined)
    return { local, report: store.parsed<CanonicalReport>(Buffer.from(frozen.bytes).toString()) };
  throw new CliError('failed', `The report ${localReportId} is not finished.`, {
    hint:
      state === 'scanning'
        ? 'End it: svc scan finish'
        : 'It was given up, and stays so. Read what was found: svc report show',
  });
}
