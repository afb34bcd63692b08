/** Adds imported results to the findings of a report, up to its limit. */
import { isSetAside, limits, severities } from '@svc/contract';
import { addResults, type Arrival, type ArrivalOutcome, type FindingSet } from '../intake/deduplication.ts';
import { countSeverities, leftOutSentence } from '../intake/left-out.ts';
import type { ImportedTool, SarifImport } from '../sarif/import.ts';
import { areasWithout } from './areas-without.ts';
import type { ReportFacts } from './canonical-report.ts';

type Tool = Omit<ImportedTool, 'findings'> & { readonly findings?: number };
/** The counts of a report before the import. */
type Counted = Pick<ReportFacts, 'candidateCount' | 'duplicateCount' | 'redactions'> & {
  readonly tools: readonly Tool[];
};

export interface AddedResults {
  readonly set: FindingSet;
  /** After the import. */
  readonly counted: Counted;
  readonly created: number;
  readonly merged: number;
  /** Results beyond the limit. */
  readonly rejected: readonly Arrival[];
  /** The sentence for the report, when some were rejected. */
  readonly rejectedSentence?: string;
}

const REASON = `a report can have at most ${limits.report.findingsMax.toLocaleString('en')} findings`;

/** @param at RFC 3339, UTC. */
export function withImported(
  before: FindingSet,
  counted: Counted,
  imported: Pick<SarifImport, 'findings' | 'tools' | 'redactions'>,
  at: string,
): AddedResults {
  const { set, outcomes } = addResults(before, imported.findings, at);
  const count = (action: ArrivalOutcome['action']) =>
    outcomes.filter((outcome) => outcome.action === action).length;
  const [created, merged] = [count('created'), count('merged')];
  const rejected = imported.findings.filter((_, index) => outcomes[index]?.action === 'rejected');
  return {
    set,
    counted: {
      candidateCount: counted.candidateCount + created + merged,
      duplicateCount: counted.duplicateCount + merged,
      redactions: counted.redactions + imported.redactions,
      tools: withTools(counted.tools, imported.tools),
    },
    created,
    merged,
    rejected,
    ...(rejected.length > 0 && {
      rejectedSentence: leftOutSentence(countSeverities(rejected), 'result', REASON),
    }),
  };
}

/** If a report cannot contain all findings, sorts them from most to least severe, with those set aside at the end. */
export function worstFirstWhenTooMany(findings: readonly Arrival[]): readonly Arrival[] {
  if (findings.length <= limits.report.findingsMax) return findings;
  const rank = ({ severity, status = 'open' }: Arrival) =>
    severities.indexOf(severity) + (isSetAside(status) ? severities.length : 0);
  return findings.toSorted((one, other) => rank(one) - rank(other));
}

type Notes = Pick<ReportFacts, 'coverage' | 'coverageAreas' | 'limitations'>;

const FULL = 'Findings were left out because the report is full.';

/** What the report says about the scan, including the results that exceed its limit. */
export function notesWithout(
  { coverage, coverageAreas, limitations }: Notes,
  { rejected, rejectedSentence }: Pick<AddedResults, 'rejected' | 'rejectedSentence'>,
  agent: string,
): Notes {
  const sentences = [...(rejectedSentence === undefined ? [] : [rejectedSentence]), ...limitations];
  return {
    coverage,
    coverageAreas: areasWithout(coverageAreas, rejected, { agent, note: FULL }),
    limitations: sentences.slice(0, limits.report.limitationsMax),
  };
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
