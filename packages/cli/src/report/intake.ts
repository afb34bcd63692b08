/** Adds to a local report: submissions one by one, and the results of scanners. */
import { randomUUID } from 'node:crypto';
import type { ProgressType, SubmissionResult } from '@svc/contract';
import { redactPointer, redactText, secretPaths, submitFinding, type SarifImport } from '@svc/report';
import { withImported, type AddedResults } from '@svc/report/making/imported-results';
import type { NewEvent } from '../store/events.ts';
import { changeFindings } from '../store/findings.ts';
import type { Store } from '../store/store.ts';

const secrets = { redactPointer, redactText, secretPaths };

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

export type ImportOutcome = Pick<AddedResults, 'created' | 'merged' | 'rejected' | 'rejectedSentence'>;

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
    const { candidateCount, duplicateCount, redactions, scan, warnings } = report;
    const counted = { candidateCount, duplicateCount, redactions, tools: scan.tools };
    const { set, counted: after, ...result } = withImported(before, counted, imported, at);
    const { tools, ...counts } = after;
    return {
      set,
      details: {
        ...counts,
        warnings: [...new Set([...warnings, ...imported.warnings])].slice(0, WARNINGS_MAX),
        scan: { ...scan, tools },
      },
      result,
    };
  });
}

function eventOf(type: ProgressType, at: string): NewEvent {
  return { eventId: randomUUID(), type, occurredAt: at };
}
