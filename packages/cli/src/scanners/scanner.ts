/** The description of an external scanner, for running it; known-scanners.ts has the data. */
import type { ProgressPhase } from '@svc/contract';
import type { Inventory } from './inventory.ts';
import type { ScanTarget } from './scan-target.ts';

export interface Scanner {
  /** The name of its program, as people know it. */
  readonly name: string;
  readonly phase: Extract<ProgressPhase, 'static_analysis' | 'dependency_review' | 'secret_review'>;
  /** What it scans, as in "semgrep scanned …". */
  readonly looksAt: string;
  /** Covers its phase for every language, not only for one. */
  readonly isGeneral: boolean;
  /** Downloads rules or databases. No scanner sends anything from the repository. */
  readonly needsNetwork: boolean;
  /** Runs code from the repository, so it runs only for a repository that the user trusts. */
  readonly runsRepositoryCode: boolean;
  readonly timeLimitMs: number;
  readonly versionArguments: readonly string[];
  /** The package and its first suitable version, to install if the present one lacks an option such as SARIF. */
  readonly needs: string;
  /** Whether it can find anything in these files. */
  readonly isWorthwhile: (files: Inventory) => boolean;
  readonly command: (place: ScannerPlace) => ScannerCommand;
  /** Exit codes after which its result counts, with or without findings. */
  readonly codesOfRun: readonly number[];
  /** Exit codes that mean that it had nothing to scan. */
  readonly codesOfNothing?: readonly number[];
  readonly resultIn: 'file' | 'output';
  readonly environment?: (privateFolder: string) => Readonly<Record<string, string>>;
  /** The security rules of a tool that also checks style. */
  readonly isSecurityRule?: (ruleId: string) => boolean;
}

export interface ScannerPlace {
  /** The root of the repository; absolute, with symbolic links resolved. */
  readonly root: string;
  readonly inventory: Inventory;
  /** The repository, or the part of it that is scanned. */
  readonly target: ScanTarget;
  /** Absolute; the output file of scanners that write one. */
  readonly resultFile: string;
  /** A folder for this scanner only; absolute. */
  readonly privateFolder: string;
  /** Whether the repository has a file. */
  readonly has: (file: string) => boolean;
}

export interface ScannerCommand {
  readonly arguments: readonly string[];
  /** The scanner's current folder: its private folder, unless it needs to find its settings in the repository. */
  readonly folder: 'private' | 'repository';
}
