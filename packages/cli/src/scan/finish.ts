/** `svc scan finish`: nothing more comes in, and what is to be sent is frozen. */
import { limits } from '@svc/contract';
import type { Run } from '../command.ts';
import { finishReport } from '../report/finish.ts';
import { readJson } from '../report/json-input.ts';
import { openReport, withStore } from '../report/picked.ts';
import { summaryLines } from '../report/summary-lines.ts';
import { frozenSha256 } from '../store/freezing.ts';
import { findReport } from '../store/reports.ts';
import { afterFinish } from '../sync/after.ts';
import { safeLine } from '../terminal/safe-text.ts';
import { notesOf, type CleanNotes } from './notes.ts';
import { shellOf } from './start.ts';

export const run: Run = async (invocation, terminal) => {
  const { options } = invocation;
  const file = options['notes'];
  const { notes, redactions }: CleanNotes =
    typeof file === 'string'
      ? notesOf(await readJson({ file, sizeBytesMax: limits.jsonBodyBytesMax }, invocation))
      : { notes: {}, redactions: 0 };
  await withStore(invocation, async (store) => {
    const { localReportId } = await openReport(store, invocation);
    const at = new Date().toISOString();
    const { report, sizeBytes, carried } = finishReport(store, localReportId, { at, notes, redactions });
    const finished = findReport(store, localReportId);
    const { sync, failure } = finished ? await afterFinish(finished, { store, invocation, terminal }) : {};
    invocation.happened('cli_scan_completed', { sync: sync ?? {} });
    if (sizeBytes > limits.reportBytesMaxDefault) {
      terminal.warn(
        `The report is larger than most services take (${Math.ceil(sizeBytes / 2 ** 20)} MiB of ${limits.reportBytesMaxDefault / 2 ** 20}).`,
      );
    }
    const { colours } = terminal;
    const sha256 = frozenSha256(store, localReportId) ?? null;
    const state = findReport(store, localReportId)?.state ?? 'finished';
    const known = shellOf(sync ?? {});
    terminal.result(
      { localReportId, state, summary: report.summary, carried, sizeBytes, sha256, ...known },
      () => [
        `${colours.green('✓')} Finished ${localReportId}`,
        ...summaryLines(report, colours),
        ...(carried.length === 0
          ? []
          : [colours.dim(`Set aside as in the report before: ${carried.join(', ')}`)]),
        ...(known.reportUrl === null ? [] : [`Read it: ${safeLine(known.reportUrl)}`]),
      ],
    );
    if (failure) throw failure;
  });
};
