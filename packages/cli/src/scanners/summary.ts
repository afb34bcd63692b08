/** What the report says about the scan: what was scanned, what was not, and why. The sentences are predefined. */
import { limits } from '@svc/contract';
import type { CoverageArea } from '@svc/report/making/coverage-areas';
import { asLimitations, coverageOfFile, warningsOfFile } from '@svc/report/making/imported-file';
import { areasOf } from './coverage-areas.ts';
import { skipSentences, type ScannedParts, type ScannerRun } from './scanned-parts.ts';
import { FILE_BYTES_MAX, type SecretCheck } from './secret-check.ts';

export interface Summary {
  readonly coverage: readonly string[];
  readonly coverageAreas: readonly CoverageArea[];
  readonly limitations: readonly string[];
}

export function summaryOf(scanned: ScannedParts): Summary {
  const { report } = limits;
  return {
    coverage: coverageOf(scanned).slice(0, report.coverageMax),
    coverageAreas: areasOf(scanned),
    limitations: asLimitations(limitationsOf(scanned)),
  };
}

function coverageOf({ inventory, secrets, runs, files }: ScannedParts): string[] {
  return [
    ...(secrets === undefined
      ? []
      : [
          `The built-in secret search covered ${secrets.searched} of ${counted(inventory.fileCount, 'file')}.`,
        ]),
    ...runs.flatMap(({ scanner, outcome }) =>
      outcome.status === 'ran'
        ? [`${[scanner.name, outcome.version ?? ''].join(' ').trim()} scanned ${scanner.looksAt}.`]
        : [],
    ),
    ...files.flatMap((file) => coverageOfFile(file)),
  ].map((line) => line.slice(0, limits.report.coverageLengthMax));
}

function limitationsOf({ inventory, secrets, runs, files }: ScannedParts): string[] {
  return [
    ...(secrets === undefined ? [] : limitationsOfSecrets(secrets)),
    ...(inventory.submodules > 0
      ? [`${counted(inventory.submodules, 'submodule')} not scanned: scan each as a repository.`]
      : []),
    ...runs.flatMap((run) => limitationOfRun(run)),
    ...notInstalled(runs),
    ...files.flatMap((file) => warningsOfFile(file)),
  ];
}

export function limitationsOfSecrets({ tooLarge, vendored, unreadable, isFull }: SecretCheck): string[] {
  const largest = FILE_BYTES_MAX / 1024 / 1024;
  return [
    ...(isFull ? ['The search for secrets ended early: a report cannot contain more findings.'] : []),
    ...(tooLarge > 0
      ? [`${counted(tooLarge, 'file')} not searched for secrets: larger than ${largest} MiB.`]
      : []),
    ...(unreadable > 0 ? [`${counted(unreadable, 'file')} not searched for secrets: not readable.`] : []),
    ...(vendored > 0
      ? [`${counted(vendored, 'file')} not searched for secrets: in folders of installed packages.`]
      : []),
  ];
}

function limitationOfRun({ scanner, outcome, isAskedFor }: ScannerRun): string[] {
  if (outcome.status === 'failed') return [outcome.sentence];
  if (outcome.status === 'ran') return outcome.imported.warnings.map((line) => `${scanner.name}: ${line}`);
  const sentence = skipSentences[outcome.reason](scanner.name);
  const isSaid =
    outcome.reason === 'not_installed' || outcome.reason === 'nothing_to_scan' ? isAskedFor : true;
  return isSaid ? [sentence] : [];
}

/** One sentence for tools that were neither installed nor asked for. */
function notInstalled(runs: readonly ScannerRun[]): string[] {
  const names = runs.flatMap(({ scanner, outcome, isAskedFor }) =>
    outcome.status === 'skipped' && outcome.reason === 'not_installed' && !isAskedFor ? [scanner.name] : [],
  );
  return names.length === 0 ? [] : [`Not run, because not installed: ${names.join(', ')}.`];
}

function counted(count: number, what: string): string {
  return count === 1 ? `1 ${what}` : `${count} ${what}s`;
}
