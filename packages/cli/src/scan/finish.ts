/** `svc scan finish`: closes the scan and freezes the body to be sent. */
import { limits } from '@svc/contract';
import type { Run } from '../command.ts';
import { finishReport } from '../report/finish.ts';
import { fittedSentence } from '@svc/report/making/fit-size';
import { movesSince } from '../report/moves-since.ts';
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
    const moved = await movesSince(store, localReportId, invocation.environment);
    const { report, sizeBytes, carried, repairs } = finishReport(store, localReportId, {
      at,
      notes,
      redactions,
      moved,
    });
    for (const repair of repairs) terminal.warn(repair);
    const finished = findReport(store, localReportId);
    const { sync, failure } = finished ? await afterFinish(finished, { store, invocation, terminal }) : {};
    invocation.happened('cli_scan_completed', { sync: sync ?? {} });
    const { fitted = null } = findReport(store, localReportId) ?? {};
    if (finished?.fitted) terminal.warn(fittedSentence(finished.fitted));
    if (sizeBytes > limits.reportBytesMaxDefault) {
      terminal.warn(
        `The report is larger than most services accept: ${Math.ceil(sizeBytes / 2 ** 20)} MiB, and the default limit is ${limits.reportBytesMaxDefault / 2 ** 20} MiB.`,
      );
    }
    const { colours } = terminal;
    const sha256 = frozenSha256(store, localReportId) ?? null;
    const state = findReport(store, localReportId)?.state ?? 'finished';
    const known = shellOf(sync ?? {});
    terminal.result(
      { localReportId, state, summary: report.summary, carried, sizeBytes, sha256, fitted, ...known },
      () => [
        `${colours.green('✓')} Finished ${localReportId}`,
        ...summaryLines(report, colours),
        ...(carried.length === 0
          ? []
          : [colours.dim(`Set aside as in the previous report: ${carried.join(', ')}`)]),
        ...(known.reportUrl === null ? [] : [`Read it: ${safeLine(known.reportUrl)}`]),
      ],
    );
    if (failure) throw failure;
  });
};
