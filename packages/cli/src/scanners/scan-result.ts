/** Everything that a scan found, as one result. */
import { limits } from '@svc/contract';
import { sumOf, type Arrival, type ImportedTool, type SeverityCounts } from '@svc/report';
import { warningsOfFile } from '@svc/report/making/imported-file';
import { worstFirstWhenTooMany } from '@svc/report/making/imported-results';
import type { Incomplete } from '../report/incomplete.ts';
import { incompleteOf } from './incomplete.ts';
import type { Inventory } from './inventory.ts';
import { SECRET_CHECK } from './secret-findings.ts';
import { failureWords, skipSentences, type ScannedParts, type ScannerRun } from './scanned-parts.ts';
import { summaryOf, type Summary } from './summary.ts';

export interface ScanResult extends Summary {
  /**
   * Candidates in the order of discovery. If a report cannot contain all of them, the most severe come first, and those
   * set aside come last. A candidate whose fingerprint occurred before is a duplicate, which merges when it is added to
   * the report.
   */
  readonly findings: readonly Arrival[];
  /** Open results of a log that alone exceeds the limit of a report; they are not among `findings`. */
  readonly leftOut: SeverityCounts;
  /** The tools that ran; `findings` counts candidates. */
  readonly tools: readonly ImportedTool[];
  readonly inventory: Inventory;
  /** Sentences for the person, with the tools' own error output; not for the report. */
  readonly warnings: readonly string[];
  /** What was not scanned, or not completely. */
  readonly incomplete: readonly Incomplete[];
  /** The number of secrets removed from what scanners wrote. */
  readonly redactions: number;
}

export function resultOf(scanned: ScannedParts): ScanResult {
  const { inventory, secrets, runs, files } = scanned;
  const imports = [
    ...runs.flatMap(({ outcome }) => (outcome.status === 'ran' ? [outcome.imported] : [])),
    ...files.map(({ imported }) => imported),
  ];
  const builtIn = secrets === undefined ? [] : [{ name: SECRET_CHECK, findings: secrets.findings.length }];
  return {
    ...summaryOf(scanned),
    findings: worstFirstWhenTooMany([
      ...(secrets?.findings ?? []),
      ...imports.flatMap((imported) => imported.findings),
    ]),
    leftOut: sumOf(imports.flatMap(({ toolRuns }) => toolRuns.flatMap((run) => run.leftOut ?? []))),
    tools: [...builtIn, ...imports.flatMap(({ tools }) => tools)].slice(0, limits.report.toolsMax),
    inventory,
    warnings: [...runs.flatMap((run) => warningsOf(run)), ...files.flatMap((file) => warningsOfFile(file))],
    incomplete: incompleteOf(scanned),
    redactions: imports.reduce((sum, { redactions }) => sum + redactions, 0),
  };
}

function warningsOf({ scanner, outcome, isAskedFor }: ScannerRun): string[] {
  if (outcome.status === 'ran') return outcome.imported.warnings.map((line) => `${scanner.name}: ${line}`);
  if (outcome.status === 'failed') return [failureWords(outcome)];
  const isExpected = outcome.reason === 'not_installed' || outcome.reason === 'nothing_to_scan';
  return isExpected && !isAskedFor ? [] : [skipSentences[outcome.reason](scanner.name)];
}
