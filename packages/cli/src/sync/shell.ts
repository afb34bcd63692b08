/**
 * The report's shell in the service. The target is stored before the shell is requested, and the shell before anything else
 * is done. A call whose response was lost is repeated with the same id, and finds the same shell.
 */
import { limits, type CreateReportBody } from '@svc/contract';
import { CliError } from '../errors.ts';
import { cut } from '@svc/report/making/texts';
import type { LocalReport } from '../store/local-report.ts';
import { forgetShell, recordShell, recordTarget } from '../store/sync-state.ts';
import { reportIn, requireOwnService, type SyncContext } from './context.ts';
import { rejected } from './rejected.ts';
import { refreshedTarget, targetOf, type SyncTarget } from './sync-target.ts';

export interface ShellState {
  readonly report: LocalReport;
  /** The service already has the whole report: this machine did not see the response. */
  readonly isFinalized: boolean;
}

const saysNone: ReadonlySet<string> = new Set([
  'SYNC_DAILY_LIMIT_REACHED',
  'SYNC_WEEKLY_LIMIT_REACHED',
  'NOT_FOUND',
  'CONFLICT',
  'REPORT_EXPIRED',
]);

/**
 * Idempotent: a shell of an earlier call, whose response was lost, is found again with its current state.
 * @throws CliError when no shell can be created.
 */
export async function ensureShell(context: SyncContext, localReportId: string): Promise<ShellState> {
  const { store, connection } = context;
  const report = reportIn(store, localReportId);
  requireOwnService(context, report);
  if (report.sync.reportId !== undefined) return { report, isFinalized: false };
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
    // With these codes no shell exists. After another code, or no response, an earlier call may have created one.
    if (saysNone.has(outcome.error.code)) forgetShell(store, localReportId);
    if (outcome.error.code === 'NOT_FOUND') throw noProject(outcome.error.requestId);
    throw rejected(outcome, context, localReportId);
  }
  const { state, reportId, reportUrl, expiresAt } = outcome.body;
  const { workspaceId, projectId } = target;
  const { origin } = connection;
  const known = { origin, workspaceId, projectId, reportId, reportUrl, expiresAt };
  return { report: recordShell(store, localReportId, known), isFinalized: state === 'finalized' };
}

function noProject(requestId: string): CliError {
  return new CliError('failed', 'Your account no longer has access to the project of this report.', {
    code: 'NOT_FOUND',
    requestId,
    hint: 'The report stays on this machine. In its repository: svc init, then svc sync.',
  });
}

function ask({ store, connection }: SyncContext, report: LocalReport, target: SyncTarget) {
  const { workspaceId, projectId } = target;
  const { localReportId, effortRequested, effortResolved, projectName, agent, host } = report;
  recordTarget(store, localReportId, { origin: connection.origin, workspaceId, projectId });
  // Built field by field, so that nothing else in the store is sent.
  const body: CreateReportBody = {
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
  return connection.attempt('createReport', { body });
}
