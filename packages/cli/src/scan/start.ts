/** `svc scan start`: begins a report that an agent, or a person, then completes command by command. */
import type { EffortRequested } from '@svc/contract';
import type { Run } from '../command.ts';
import { withStore } from '../report/picked.ts';
import type { Authorization, SyncState } from '../store/local-report.ts';
import { findReport } from '../store/reports.ts';
import { afterStart } from '../sync/after.ts';
import { safeLine } from '../terminal/safe-text.ts';
import { version } from '../version.ts';
import { beginHere } from './begin-here.ts';
import { pruneOld } from './prune.ts';

export const run: Run = async (invocation, terminal) => {
  const { options } = invocation;
  const given = (name: string) => (typeof options[name] === 'string' ? options[name] : undefined);
  const model = given('agentModel');
  const scope = options['scope'] as readonly string[] | undefined;
  await withStore(invocation, async (store) => {
    pruneOld(store);
    const report = await beginHere(store, invocation, {
      effort: (given('effort') ?? 'auto') as EffortRequested,
      agent: {
        name: given('agentName') ?? 'svc',
        version: given('agentVersion') ?? (given('agentName') === undefined ? version : 'unknown'),
        ...(model !== undefined && { model }),
      },
      authorization: {
        basis: (given('basis') ?? 'owner') as Authorization['basis'],
        scope: [...(scope ?? ['Everything in the repository.'])],
      },
      isSyncWanted: options['sync'] !== false,
    });
    const { sync } = await afterStart(report, { store, invocation, terminal });
    invocation.happened('cli_scan_started', { sync });
    const { localReportId, state, projectName, effortResolved } = report;
    const { green, bold, dim } = terminal.colours;
    terminal.result(
      {
        localReportId,
        state,
        projectName,
        effortResolved,
        isSyncWanted: findReport(store, localReportId)?.isSyncWanted ?? false,
        ...shellOf(sync),
      },
      () => [
        `${green('✓')} Started a scan of ${bold(safeLine(projectName))}: ${localReportId}`,
        ...(sync.reportUrl === undefined ? [] : [`  Watch it: ${safeLine(sync.reportUrl)}`]),
        dim('  Add what you find: svc finding add FILE. End it: svc scan finish'),
      ],
    );
  });
};

/** The id and the address of the report on the service, if the service has it. */
export function shellOf({ reportId, reportUrl }: Pick<SyncState, 'reportId' | 'reportUrl'>) {
  return { reportId: reportId ?? null, reportUrl: reportUrl ?? null };
}
