/** What the report says about the scan itself: what was looked at, what was not, and why. Sentences are fixed. */
import { limits } from '@svc/contract';
import type { CanonicalReport } from '@svc/report';
import type { Inventory } from './inventory.ts';
import type { ScannerOutcome, SkipReason } from './run-scanner.ts';
import type { ImportedFile } from './sarif-files.ts';
import type { Scanner } from './scanner.ts';
import { FILE_BYTES_MAX, type SecretCheck } from './secret-check.ts';

export type CoverageArea = CanonicalReport['coverageAreas'][number];

export interface ScannerRun {
  readonly scanner: Scanner;
  readonly outcome: ScannerOutcome;
  /** Its user asked for it by name. */
  readonly isAskedFor: boolean;
}

export interface Scanned {
  readonly inventory: Inventory;
  /** Absent when it was not asked for. */
  readonly secrets?: SecretCheck;
  readonly runs: readonly ScannerRun[];
  readonly files: readonly ImportedFile[];
}

export interface Summary {
  readonly coverage: readonly string[];
  readonly coverageAreas: readonly CoverageArea[];
  readonly limitations: readonly string[];
}

export function summaryOf(scanned: Scanned): Summary {
  const { report } = limits;
  return {
    coverage: coverageOf(scanned).slice(0, report.coverageMax),
    coverageAreas: areasOf(scanned),
    limitations: limitationsOf(scanned)
      .map((sentence) => sentence.slice(0, report.limitationLengthMax))
      .slice(0, report.limitationsMax),
  };
}

function coverageOf({ inventory, secrets, runs, files }: Scanned): string[] {
  return [
    ...(secrets === undefined
      ? []
      : [
          `The built-in check searched ${counted(secrets.searched, 'file')} of ${inventory.fileCount} for secrets.`,
        ]),
    ...runs.flatMap(({ scanner, outcome }) =>
      outcome.status === 'ran'
        ? [`${[scanner.name, outcome.version ?? ''].join(' ').trim()} looked at ${scanner.looksAt}.`]
        : [],
    ),
    ...files.map(({ name, imported }) => {
      const tools = imported.tools.map((tool) => tool.name).join(', ');
      return `Results of ${tools === '' ? 'no tool' : tools} were taken from ${name}.`;
    }),
  ].map((line) => line.slice(0, limits.report.coverageLengthMax));
}

const areas = [
  ['secrets', 'Secrets', 'secret_review'],
  ['static_analysis', 'Code', 'static_analysis'],
  ['dependencies', 'Dependencies', 'dependency_review'],
] as const;

function areasOf({ secrets, runs }: Scanned): CoverageArea[] {
  return areas.map(([id, name, phase]) => {
    const ofPhase = runs.filter(({ scanner }) => scanner.phase === phase);
    const ran = ofPhase.filter(({ outcome }) => outcome.status === 'ran').map(({ scanner }) => scanner);
    const isBuiltIn = id === 'secrets' && secrets !== undefined;
    if (ran.length === 0 && !isBuiltIn) return { id, name, status: 'not_covered' };
    const isWhole =
      (isBuiltIn ? isWholeCheck(secrets) : ran.some(({ isGeneral }) => isGeneral)) &&
      ofPhase.every(({ outcome }) => outcome.status !== 'failed');
    const by = [...(isBuiltIn ? ['the built-in check'] : []), ...ran.map((scanner) => scanner.name)];
    return { id, name, status: isWhole ? 'covered' : 'partial', note: `By ${by.join(', ')}.` };
  });
}

function isWholeCheck({ isFull, tooLarge, unreadable }: SecretCheck): boolean {
  return !isFull && tooLarge === 0 && unreadable === 0;
}

function limitationsOf({ inventory, secrets, runs, files }: Scanned): string[] {
  return [
    ...(secrets === undefined ? [] : limitationsOfSecrets(secrets)),
    ...(inventory.submodules > 0
      ? [`${counted(inventory.submodules, 'submodule')} not looked at: scan each as a repository.`]
      : []),
    ...runs.flatMap((run) => limitationOfRun(run)),
    ...notInstalled(runs),
    ...files.flatMap(({ name, imported }) => imported.warnings.map((warning) => `${name}: ${warning}`)),
  ];
}

function limitationsOfSecrets({ tooLarge, vendored, unreadable, isFull }: SecretCheck): string[] {
  const largest = FILE_BYTES_MAX / 1024 / 1024;
  return [
    ...(isFull ? ['The search for secrets ended early: a report holds no more findings.'] : []),
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

export const skipSentences: Readonly<Record<SkipReason, (name: string) => string>> = {
  not_installed: (name) => `${name} was not run: it is not installed.`,
  nothing_to_scan: (name) => `${name} was not run: there is nothing for it to look at.`,
  untrusted: (name) =>
    `${name} was not run: it runs code of the repository, which takes a repository that is trusted.`,
  offline: (name) => `${name} was not run: it needs the network.`,
  no_formatter: (name) => `${name} was not run: the repository has not installed its formatter for SARIF.`,
};

/** One sentence for what could have been used and was not asked for. */
function notInstalled(runs: readonly ScannerRun[]): string[] {
  const names = runs.flatMap(({ scanner, outcome, isAskedFor }) =>
    outcome.status === 'skipped' && outcome.reason === 'not_installed' && !isAskedFor ? [scanner.name] : [],
  );
  return names.length === 0 ? [] : [`Not installed, and so not run: ${names.join(', ')}.`];
}

function counted(count: number, what: string): string {
  return count === 1 ? `1 ${what}` : `${count} ${what}s`;
}
