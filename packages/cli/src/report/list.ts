/** `svc report list`: the local reports, newest first. */
import type { Run } from '../command.ts';
import { realPath } from '../files/paths.ts';
import { repositoryRootOf } from '../project/binding.ts';
import { countFindings } from '../store/findings.ts';
import type { LocalReport } from '../store/local-report.ts';
import { listReports } from '../store/reports.ts';
import type { Colours } from '../terminal/colours.ts';
import { localTime } from '../terminal/local-time.ts';
import { safeLine } from '../terminal/safe-text.ts';
import { withStore } from './picked.ts';

interface Listed {
  readonly report: LocalReport;
  readonly findingCount: number;
}

export const run: Run = async (invocation, terminal) => {
  const { options, folder } = invocation;
  const isAll = options['all'] === true;
  const repositoryRoot = await realPath(repositoryRootOf(folder) ?? folder);
  await withStore(invocation, (store) => {
    const listed = store.read(() =>
      listReports(store, isAll ? {} : { repositoryRoot }).map((report) => ({
        report,
        findingCount: countFindings(store, report.localReportId),
      })),
    );
    terminal.result({ reports: listed.map(jsonOf) }, () =>
      listed.length > 0
        ? listed.map((one) => lineOf(one, terminal.colours))
        : [isAll ? 'No reports on this machine.' : 'No reports of this repository on this machine.'],
    );
  });
};

function jsonOf({ report, findingCount }: Listed) {
  const { localReportId, state, projectName, repositoryRoot, createdAt, scan, isSyncWanted, sync } = report;
  return {
    localReportId,
    state,
    projectName,
    repositoryRoot,
    createdAt,
    finishedAt: scan.finishedAt ?? null,
    findingCount,
    isSyncWanted,
    reportId: sync.reportId ?? null,
    reportUrl: sync.reportUrl ?? null,
    lastFailure: sync.lastFailure ?? null,
  };
}

function lineOf({ report, findingCount }: Listed, { bold, dim, yellow }: Colours): string {
  const { localReportId, state, projectName, createdAt, sync } = report;
  const failure = sync.lastFailure && yellow(`not sent: ${safeLine(sync.lastFailure.code)}`);
  return [
    bold(localReportId),
    state.padEnd('scanning'.length),
    dim(localTime(createdAt)),
    `${String(findingCount).padStart(5)} ${findingCount === 1 ? 'finding ' : 'findings'}`,
    safeLine(projectName),
    ...(failure ? [failure] : []),
    ...(sync.reportUrl === undefined ? [] : [dim(safeLine(sync.reportUrl))]),
  ].join('  ');
}
