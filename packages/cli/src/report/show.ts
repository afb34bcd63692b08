/** `svc report show`: a report as it was or would be sent. */
import type { CanonicalReport } from '@svc/report';
import type { Invocation, Run } from '../command.ts';
import { findingsOf } from '../store/findings.ts';
import { frozenReport } from '../store/freezing.ts';
import { canonicalReport } from './canonical.ts';
import { anyReport, withStore } from './picked.ts';
import { readReportFile } from './report-file.ts';
import { reportLines } from './summary-lines.ts';

export const run: Run = async (invocation, terminal) => {
  const [file] = invocation.arguments;
  const report =
    typeof file === 'string' ? await readReportFile(file, invocation) : await ownReport(invocation);
  terminal.result(report, () => reportLines(report, terminal));
};

/** The frozen report; during a scan, the report as it would be now. */
function ownReport(invocation: Invocation): Promise<CanonicalReport> {
  return withStore(invocation, async (store) => {
    const local = await anyReport(store, invocation);
    return store.read(() => {
      const frozen = frozenReport(store, local.localReportId);
      if (frozen !== undefined) return store.parsed<CanonicalReport>(Buffer.from(frozen.bytes).toString());
      const set = findingsOf(store, local.localReportId);
      return canonicalReport(local, set, { at: new Date().toISOString() }).report;
    });
  });
}
