/** Everything that a scan came to, as one result. */
import { limits, severities } from '@svc/contract';
import type { Arrival, ImportedTool } from '@svc/report';
import type { Inventory } from './inventory.ts';
import type { ImportedFile } from './sarif-files.ts';
import { SECRET_CHECK } from './secret-check.ts';
import { skipSentences, summaryOf, type Scanned, type ScannerRun, type Summary } from './summary.ts';

export interface ScanResult extends Summary {
  /**
   * Candidates, in the order in which they were found; the least severe last where a report can not hold all. Those with
   * a fingerprint that came before are duplicates, which adding them to the findings of the report merges.
   */
  readonly findings: readonly Arrival[];
  /** Those that ran; `findings` counts candidates. */
  readonly tools: readonly ImportedTool[];
  readonly inventory: Inventory;
  /** For the person, with what tools said of their failures; not for the report. */
  readonly warnings: readonly string[];
  /** Secrets that were taken out of what scanners wrote. */
  readonly redactions: number;
}

export function resultOf(scanned: Scanned): ScanResult {
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
    tools: [...builtIn, ...imports.flatMap(({ tools }) => tools)].slice(0, limits.report.toolsMax),
    inventory,
    warnings: [...runs.flatMap((run) => warningsOf(run)), ...files.flatMap((file) => warningsOfFile(file))],
    redactions: imports.reduce((sum, { redactions }) => sum + redactions, 0),
  };
}

function worstFirstWhenTooMany(findings: readonly Arrival[]): readonly Arrival[] {
  if (findings.length <= limits.report.findingsMax) return findings;
  const rank = ({ severity }: Arrival) => severities.indexOf(severity);
  return findings.toSorted((one, other) => rank(one) - rank(other));
}

function warningsOf({ scanner, outcome, isAskedFor }: ScannerRun): string[] {
  if (outcome.status === 'ran') return outcome.imported.warnings.map((line) => `${scanner.name}: ${line}`);
  if (outcome.status === 'failed')
    return [
      [outcome.sentence, ...(outcome.detail === undefined ? [] : [`It said: ${outcome.detail}`])].join(' '),
    ];
  const isExpected = outcome.reason === 'not_installed' || outcome.reason === 'nothing_to_scan';
  return isExpected && !isAskedFor ? [] : [skipSentences[outcome.reason](scanner.name)];
}

function warningsOfFile({ name, imported }: ImportedFile): string[] {
  return imported.warnings.map((line) => `${name}: ${line}`);
}
