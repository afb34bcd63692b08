/**
 * Repairs an invalid report field by field, so that one bad optional field or finding never costs the whole report. A
 * finding is removed only if it cannot be made valid. The report's limitations say what was changed.
 */
import { Finding, limits, type Issue } from '@svc/contract';
import { repaired, repairsSentence, type Repair } from '../intake/schema-repair.ts';
import { CanonicalReport, summarize } from '../model/canonical.ts';
import { redactDeep, secretPaths } from '../secrets/redact.ts';
import { definedOnly } from './texts.ts';

export interface RepairedReport {
  readonly report: CanonicalReport;
  /** Sentences about what was changed. */
  readonly notes: readonly string[];
}

/**
 * The maximum number of rounds: cutting can make a text look like a secret, and redacting can make it too long. No
 * report needs more.
 */
const LOOKS_MAX = 4;

export interface UsableFindings {
  readonly findings: readonly Finding[];
  readonly repairs: readonly Repair[];
}

/** The stored findings in a form that a report may contain. Valid findings stay the same objects. */
export function usableFindings(stored: readonly Finding[]): UsableFindings {
  const repairs: Repair[] = [];
  const findings = stored.flatMap((finding, index) => {
    const made = repaired<Finding>(Finding, finding);
    const path = `/findings/${index}`;
    if (made.value === undefined) repairs.push({ path, kind: 'dropped' });
    else repairs.push(...made.repairs.map((repair) => ({ ...repair, path: `${path}${repair.path}` })));
    return made.value ?? [];
  });
  return { findings, repairs };
}

export interface RepairContext {
  /** The issues of a report; empty only if it is valid. */
  readonly issuesOf: (report: unknown) => readonly Issue[];
  /** The repairs that were made earlier to the findings of the report. */
  readonly repairs: readonly Repair[];
}

/** Undefined when the report cannot be made valid, for instance because a required part is invalid. */
export function repairedReport(
  draft: CanonicalReport,
  { issuesOf, repairs: before }: RepairContext,
): RepairedReport | undefined {
  const repairs = [...before];
  let dropped = 0;
  let report = draft;
  for (let look = 0; look <= LOOKS_MAX; look += 1) {
    const notes = notesOf(repairs, dropped);
    const annotated =
      notes.length === 0 ? report : { ...report, limitations: withNotes(report.limitations, notes) };
    if (issuesOf(annotated).length === 0) return { report: annotated, notes };
    const made = repaired<CanonicalReport>(CanonicalReport, report);
    if (made.value === undefined) return undefined;
    repairs.push(...made.repairs);
    const findings = withoutUnusable(made.value.findings);
    dropped += made.value.findings.length - findings.length;
    report = redactDeep({
      ...made.value,
      findings,
      summary: countedAgain(made.value.summary, findings),
    }).value;
  }
  return undefined;
}

function countedAgain(
  { candidateCount, duplicateCount, fixedCount }: CanonicalReport['summary'],
  findings: readonly Finding[],
): CanonicalReport['summary'] {
  return summarize(findings, definedOnly({ candidateCount, duplicateCount, fixedCount }));
}

/** Removes findings whose id an earlier finding has, and findings with a secret that cannot be redacted. */
function withoutUnusable(findings: CanonicalReport['findings']): CanonicalReport['findings'] {
  const seen = new Set<string>();
  return findings.filter((finding) => {
    const isNew = !seen.has(finding.id);
    seen.add(finding.id);
    return isNew && secretPaths(redactDeep(finding).value, 1).length === 0;
  });
}

const WHOLE_FINDING = /^\/findings\/\d+$/;

function notesOf(repairs: readonly Repair[], dropped: number): string[] {
  const ofFields = repairs.filter(({ path }) => !WHOLE_FINDING.test(path));
  const lost = repairs.length - ofFields.length + dropped;
  const findings = lost === 1 ? '1 finding was' : `${lost} findings were`;
  return [
    repairsSentence(ofFields),
    lost === 0 ? '' : `${findings} left out: no valid finding could be created from what was stored.`,
  ].filter((note) => note !== '');
}

function withNotes(limitations: readonly string[], notes: readonly string[]): string[] {
  const { limitationsMax } = limits.report;
  return [...limitations.slice(0, limitationsMax - notes.length), ...notes];
}
