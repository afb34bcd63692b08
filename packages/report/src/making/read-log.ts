/** Reads a log that a person gave without a checkout, or says why it cannot become a report. */
import { countSeverities, type SeverityCounts } from '../intake/left-out.ts';
import { identityTagsIn } from '../identity/identity-tags.ts';
import { SarifError, type ByteSource } from '../sarif/document.ts';
import { importSarif } from '../sarif/import.ts';
import { redactText } from '../secrets/redact.ts';
import { warningsOfFile, type ImportedFile } from './imported-file.ts';
import { rejectedLog, type RejectedLog } from './rejected-log.ts';

/** What a person should know before the report is uploaded. */
export interface LogSummary {
  readonly name: string;
  readonly tools: readonly string[];
  /** Distinct findings, including those that the log suppresses. */
  readonly counts: SeverityCounts;
  /** Findings that are identified by their message alone, since neither the log nor a checkout shows their code. */
  readonly weakCount: number;
  /** The number of places from which a secret was removed. */
  readonly redactions: number;
  /** Sentences about what the import left out or changed. */
  readonly warnings: readonly string[];
}

export type LogReading =
  | { readonly file: ImportedFile; readonly summary: LogSummary }
  | { readonly rejected: RejectedLog };

/** @param fileName without its folders */
export function readLog(fileName: string, log: ByteSource): LogReading {
  const name = redactText(fileName).text;
  try {
    const file = { name, imported: importSarif(log) };
    const { failure, toolRuns } = file.imported;
    // A scan reports such a log as a gap. Here there is nothing else that a report could contain.
    if (failure !== undefined && toolRuns.length === 0)
      return { rejected: { message: `${name} cannot be imported.`, details: [], hint: failure.sentence } };
    return { file, summary: summaryOf(file) };
  } catch (error) {
    if (!(error instanceof SarifError)) throw error;
    return { rejected: rejectedLog(name, error, log) };
  }
}

function summaryOf(file: ImportedFile): LogSummary {
  const { name, imported } = file;
  const findings = [...new Map(imported.findings.map((finding) => [finding.fingerprint, finding])).values()];
  return {
    name,
    tools: [...new Set(imported.tools.map((tool) => tool.name))],
    counts: countSeverities(findings),
    weakCount: findings.filter(({ tags = [] }) => identityTagsIn(tags).isWeak).length,
    redactions: imported.redactions,
    warnings: warningsOfFile(file),
  };
}
