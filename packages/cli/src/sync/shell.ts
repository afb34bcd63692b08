/**
 * The report's shell in the service. Where it may be is written down before it is asked for, and what it is before
 * anything else is done: a call whose answer is lost is made again with the same id, and finds what it made.
 */
import { limits, type CreateReportBody } from '@svc/contract';
import { CliError } from '../errors.ts';
import { cut } from '../report/texts.ts';
import type { LocalReport } from '../store/local-report.ts';
import { forgetShell, recordShell, recordTarget } from '../store/sync-state.ts';
import { reportIn, requireOwnService, type SyncContext } from './context.ts';
import { refused } from './refused.ts';
import { refreshedTarget, targetOf, type Target } from './target.ts';

export interface Shell {
  readonly report: LocalReport;
  /** The service has the whole report already: this machine did not see the answer. */
  readonly isFinalized: boolean;
}

const saysNone: ReadonlySet<string> = new Set([
  'SYNC_DAILY_LIMIT_REACHED',
  'SYNC_WEEKLY_LIMIT_REACHED',
  'NOT_FOUND',
  'CONFLICT',
  'REPORT_EXPIRED',
]);

/** Idempotent. @throws CliError when there can be none. */
export async function ensureShell(context: SyncContext, localReportId: string): Promise<Shell> {
  const report = reportIn(context.store, localReportId);
  requireOwnService(context, report);
  if (report.sync.reportId !== undefined) return { report, isFinalized: false };
  return askForShell(context, localReportId);
}

/** Also where there is one: it is found again, with the state that it has now. */
export async function askForShell(context: SyncContext, localReportId: string): Promise<Shell> {
  const { store, connection } = context;
  const report = reportIn(store, localReportId);
  let target = await targetOf(context, report);
  let outcome = await ask(context, report, target);
  if (!outcome.ok && outcome.error.code === 'NOT_FOUND') {
    const other = await refreshedTarget(context, report);
    if (other !== null && other.projectId !== target.projectId) {
      target = other;
      outcome = await ask(context, report, target);
    }
  }
  if (!outcome.ok) {
    // These say that there is none. After another refusal, as after a silence, there may be one of an earlier call.
    if (saysNone.has(outcome.error.code) && report.sync.reportId === undefined)
      forgetShell(store, localReportId);
    if (outcome.error.code === 'NOT_FOUND') throw noProject(outcome.error.requestId);
    throw refused(outcome, context, localReportId);
  }
  const { state, reportId, reportUrl, expiresAt } = outcome.body;
  const { workspaceId, projectId } = target;
  const { origin } = connection;
  const known = { origin, workspaceId, projectId, reportId, reportUrl, expiresAt };
  return { report: recordShell(store, localReportId, known), isFinalized: state === 'finalized' };
}

function noProject(requestId: string): CliError {
  return new CliError('failed', 'The project of this report is not there for your account any more.', {
    code: 'NOT_FOUND',
    requestId,
    hint: 'The report stays on this machine. In its repository: svc init, then svc sync.',
  });
}

function ask({ store, connection }: SyncContext, report: LocalReport, { workspaceId, projectId }: Target) {
  recordTarget(store, report.localReportId, { origin: connection.origin, workspaceId, projectId });
  return connection.attempt('createReport', { body: bodyOf(report, { workspaceId, projectId }) });
}

/** Built field by field: nothing of the store travels by being there. */
function bodyOf(report: LocalReport, { workspaceId, projectId }: Target): CreateReportBody {
  const { localReportId, effortRequested, effortResolved, projectName, agent, host } = report;
  return {
    workspaceId,
    projectId,
    localReportId,
    effortRequested,
    effortResolved,
    projectName: cut(projectName, limits.projectNameOfReportLengthMax),
    agent: {
      name: agent.name,
      version: agent.version,
      ...(agent.model !== undefined && { model: agent.model }),
    },
    host: { osFamily: host.osFamily, arch: host.arch, cliVersion: host.cliVersion },
  };
}
