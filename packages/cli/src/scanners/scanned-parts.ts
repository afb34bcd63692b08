/** The outcome of each part of a scan, and the sentences for a scanner that did not run. The sentences are predefined. */
import type { Inventory } from './inventory.ts';
import type { ScannerOutcome, SkipReason } from './run-scanner.ts';
import type { ImportedFile } from '@svc/report/making/imported-file';
import type { Scanner } from './scanner.ts';
import type { SecretCheck } from './secret-check.ts';

export interface ScannerRun {
  readonly scanner: Scanner;
  readonly outcome: ScannerOutcome;
  /** The user asked for the scanner by name. */
  readonly isAskedFor: boolean;
}

/** Asked for by name, but not run although there may have been something to scan. */
export function wasWanted({ outcome, isAskedFor }: ScannerRun): boolean {
  return isAskedFor && outcome.status === 'skipped' && outcome.reason !== 'nothing_to_scan';
}

export interface ScannedParts {
  readonly inventory: Inventory;
  /** Absent when the search for secrets was not requested. */
  readonly secrets?: SecretCheck;
  readonly runs: readonly ScannerRun[];
  readonly files: readonly ImportedFile[];
}

/** The sentence with the scanner's own error output, for people. */
export function failureWords({ sentence, detail }: Extract<ScannerOutcome, { status: 'failed' }>): string {
  return [sentence, ...(detail === undefined ? [] : [`Its error output: ${detail}`])].join(' ');
}

export const skipSentences: Readonly<Record<SkipReason, (name: string) => string>> = {
  not_installed: (name) => `${name} was not run: it is not installed.`,
  nothing_to_scan: (name) => `${name} was not run: it has nothing to scan.`,
  untrusted: (name) =>
    `${name} was not run: it runs code of the repository, so the repository must be trusted.`,
  offline: (name) => `${name} was not run: it needs the network.`,
  no_formatter: (name) => `${name} was not run: the repository has not installed its formatter for SARIF.`,
};
