/** Adds to a local report: submissions one by one, and the results of scanners. */
import { randomUUID } from 'node:crypto';
import { limits, type ProgressType, type SubmissionResult } from '@svc/contract';
import {
  addResults,
  countSeverities,
  leftOutSentence,
  redactPointer,
  redactText,
  secretPaths,
  submitFinding,
  type Arrival,
  type ArrivalOutcome,
  type SarifImport,
} from '@svc/report';
import type { NewEvent } from '../store/events.ts';
import { changeFindings } from '../store/findings.ts';
import type { Tool } from '../store/local-report.ts';
import type { Store } from '../store/store.ts';

const secrets = { redactPointer, redactText, secretPaths };

const REASON = `a report holds ${limits.report.findingsMax.toLocaleString('en')}`;

/** The limit of stored sentences about what imports left out. */
const WARNINGS_MAX = 200;

/**
 * Adds one submission, or stores nothing and returns its errors.
 *
 * @param at RFC 3339, UTC.
 * @throws CliError when the report is not `scanning`.
 */
export function addSubmission(
  store: Store,
  localReportId: string,
  submission: unknown,
  at: string,
): SubmissionResult {
  return changeFindings(store, localReportId, (before, report) => {
    const { repositoryRoot, candidateCount, duplicateCount, redactions } = report;
    const { set, result } = submitFinding(before, submission, { at, secrets, repositoryRoot });
    if (!result.accepted) return { set: before, result };
    const isMerged = result.action === 'merged_as_corroboration';
    return {
      set,
      details: {
        candidateCount: candidateCount + 1,
        duplicateCount: duplicateCount + (isMerged ? 1 : 0),
        redactions: redactions + result.redactions,
      },
      events: [eventOf(isMerged ? 'finding_merged' : 'finding_recorded', at)],
      result,
    };
  });
}

export interface ImportOutcome {
  readonly created: number;
  readonly merged: number;
  /** Results beyond the limit. */
  readonly rejected: readonly Arrival[];
  /** The sentence for the report, when some were rejected. */
  readonly rejectedSentence?: string;
}

/**
 * Imports the results of scanners: all of them or, when interrupted, none. There is no event for each result, because the
 * service would need many minutes to accept thousands.
 *
 * @param at RFC 3339, UTC.
 * @throws CliError when the report is not `scanning`.
 */
export function importIntoReport(
  store: Store,
  localReportId: string,
  imported: Pick<SarifImport, 'findings' | 'tools' | 'warnings' | 'redactions'>,
  at: string,
): ImportOutcome {
  return changeFindings(store, localReportId, (before, report) => {
    const { set, outcomes } = addResults(before, imported.findings, at);
    const count = (action: ArrivalOutcome['action']) =>
      outcomes.filter((outcome) => outcome.action === action).length;
    const rejected = imported.findings.filter((_, index) => outcomes[index]?.action === 'rejected');
    const result = {
      created: count('created'),
      merged: count('merged'),
      rejected,
      ...(rejected.length > 0 && {
        rejectedSentence: leftOutSentence(countSeverities(rejected), 'result', REASON),
      }),
    };
    return {
      set,
      details: {
        candidateCount: report.candidateCount + result.created + result.merged,
        duplicateCount: report.duplicateCount + result.merged,
        redactions: report.redactions + imported.redactions,
        warnings: [...new Set([...report.warnings, ...imported.warnings])].slice(0, WARNINGS_MAX),
        scan: { ...report.scan, tools: withTools(report.scan.tools, imported.tools) },
      },
      result,
    };
  });
}

function eventOf(type: ProgressType, at: string): NewEvent {
  return { eventId: randomUUID(), type, occurredAt: at };
}

/** One entry for each tool and version, with the sum of its results. */
function withTools(known: readonly Tool[], more: readonly Tool[]): Tool[] {
  const tools = new Map<string, Tool>();
  for (const tool of [...known, ...more]) {
    const key = JSON.stringify([tool.name, tool.version]);
    const before = tools.get(key);
    const findings = (before?.findings ?? 0) + (tool.findings ?? 0);
    tools.set(key, { ...tool, findings });
  }
  return [...tools.values()].slice(0, limits.report.toolsMax);
}
