/**
 * One decision about findings of several reports: as few calls per report as allowed, a few at a time. A failed call
 * does not stop the others, so the result lists the changed findings and the failed calls.
 */
import type { Issue, WorkspaceFinding } from '@svc/contract';
import { limits } from '@svc/contract/limits';
import { ask, isApiError } from '../../lib/api.ts';
import { atOnce } from '../../lib/at-once.ts';
import type { NewDecision } from '../reading/triage.ts';

/** The calls of the API that a decision needs, for one report each. */
export interface DecisionCalls {
  /** @throws the API error. */
  readonly change: (
    reportId: string,
    findingIds: readonly string[],
    decision: NewDecision,
  ) => Promise<{ readonly changed: readonly string[]; readonly undoId: string }>;
  /** @throws the API error. */
  readonly undo: (reportId: string, undoId: string) => Promise<{ readonly restored: readonly string[] }>;
}

const apiCalls: DecisionCalls = {
  change: async (id, findingIds, decision) =>
    ask('changeFindings', { params: { id }, body: { findingIds: [...findingIds], ...decision } }),
  undo: async (id, undoId) => ask('undoDecisions', { params: { id }, body: { undoId } }),
};

/** The findings of one call. */
export interface DecisionCall {
  readonly reportId: string;
  readonly projectName: string;
  readonly findings: readonly WorkspaceFinding[];
}

export interface FailedCall extends DecisionCall {
  readonly error: unknown;
}

export interface BulkResult {
  /** The keys of the findings that have the status now. */
  readonly changed: readonly string[];
  readonly failed: readonly FailedCall[];
  /**
   * Undoes each call that is less than a minute old. Returns how many findings were restored.
   * @throws the API error if no call could be undone.
   */
  readonly undo: () => Promise<number>;
}

const CALLS_AT_ONCE = 4;

/**
 * @param onProgress is called with the number of findings whose calls have ended.
 * @throws the API error if it is about the decision itself, such as a secret in its note. Nothing is changed then.
 */
export async function decideAll(
  findings: readonly WorkspaceFinding[],
  decision: NewDecision,
  onProgress: (done: number) => void,
  calls: DecisionCalls = apiCalls,
): Promise<BulkResult> {
  const changed: string[] = [];
  const failed: FailedCall[] = [];
  const undoable: { readonly reportId: string; readonly undoId: string }[] = [];
  let done = 0;
  async function send(call: DecisionCall): Promise<void> {
    const { reportId } = call;
    try {
      const { undoId } = await calls.change(
        reportId,
        call.findings.map(({ findingId }) => findingId),
        decision,
      );
      undoable.push({ reportId, undoId });
      changed.push(...call.findings.map(({ findingKey }) => findingKey));
    } catch (error) {
      if (changed.length === 0 && isAboutDecision(error)) throw error;
      failed.push({ ...call, error });
    }
    done += call.findings.length;
    onProgress(done);
  }
  const [first, ...others] = callsFor(findings);
  // The first call is sent alone, because an error in the decision itself occurs in every report.
  if (first) await send(first);
  await atOnce(others, CALLS_AT_ONCE, send);
  return { changed, failed, undo: async () => undoAll(undoable, calls) };
}

/** In the order of their first findings, each report's findings in as few calls as allowed. */
export function callsFor(findings: readonly WorkspaceFinding[]): readonly DecisionCall[] {
  const most = limits.decision.findingsMax;
  return [...Map.groupBy(findings, ({ reportId }) => reportId)].flatMap(([reportId, ofReport]) =>
    Array.from({ length: Math.ceil(ofReport.length / most) }, (_, at) => ({
      reportId,
      projectName: ofReport[0]?.projectName ?? '',
      findings: ofReport.slice(at * most, (at + 1) * most),
    })),
  );
}

function isAboutDecision(error: unknown): boolean {
  if (isApiError(error, 'UNSAFE_PAYLOAD_REJECTED')) return true;
  if (!isApiError(error, 'VALIDATION_FAILED')) return false;
  const { issues = [] } = (error.details ?? {}) as { readonly issues?: readonly Issue[] };
  return issues.length > 0 && issues.every(({ path }) => !path.startsWith('/findingIds'));
}

async function undoAll(
  undoable: readonly { readonly reportId: string; readonly undoId: string }[],
  calls: DecisionCalls,
): Promise<number> {
  const errors: unknown[] = [];
  const counts = await atOnce(undoable, CALLS_AT_ONCE, async ({ reportId, undoId }) => {
    try {
      return (await calls.undo(reportId, undoId)).restored.length;
    } catch (error) {
      errors.push(error);
      return 0;
    }
  });
  if (undoable.length > 0 && errors.length === undoable.length) throw errors[0];
  return counts.reduce((sum, count) => sum + count, 0);
}
