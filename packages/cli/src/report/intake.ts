/** What comes into a local report: submissions one by one, and the results of scanners. */
import { randomUUID } from 'node:crypto';
import { limits, type ProgressType, type SubmissionResult } from '@svc/contract';
import {
  addFindings,
  redactPointer,
  redactText,
  secretPaths,
  submitFinding,
  type ArrivalOutcome,
  type SarifImport,
} from '@svc/report';
import type { NewEvent } from '../store/events.ts';
import { changeFindings } from '../store/findings.ts';
import type { Tool } from '../store/local-report.ts';
import type { Store } from '../store/store.ts';

const secrets = { redactPointer, redactText, secretPaths };

/** A local report keeps no more sentences of what imports left out. */
const WARNINGS_MAX = 200;

/**
 * Takes one submission in, or stores nothing and says what is wrong with it.
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
  /** For which there was no room. */
  readonly refused: number;
}

/**
 * Takes the results of scanners in, all of them or, when it is cut short, none. There is no event for each result:
 * thousands would take the service many minutes to take in.
 *
 * @param at RFC 3339, UTC.
 * @throws CliError when the report is not `scanning`.
 */
export function importIntoReport(
  store: Store,
  localReportId: string,
  imported: SarifImport,
  at: string,
): ImportOutcome {
  return changeFindings(store, localReportId, (before, report) => {
    const { set, outcomes } = addFindings(before, imported.findings, at);
    const count = (action: ArrivalOutcome['action']) =>
      outcomes.filter((outcome) => outcome.action === action).length;
    const result = { created: count('created'), merged: count('merged'), refused: count('refused') };
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

/** One entry for each tool and version, with all that it found. */
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
