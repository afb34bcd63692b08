/** What there is to know about a scanner that others made, for running it; known-scanners.ts has the facts. */
import type { ProgressPhase } from '@svc/contract';
import type { Inventory } from './inventory.ts';

export interface Scanner {
  /** Of its program, and what people call it by. */
  readonly name: string;
  readonly phase: Extract<ProgressPhase, 'static_analysis' | 'dependency_review' | 'secret_review'>;
  /** What it looks at, as in "semgrep looked at …". */
  readonly looksAt: string;
  /** Looks at all that its phase is about, not only at one language. */
  readonly isGeneral: boolean;
  /** Downloads rules or databases. None of them sends anything of the repository. */
  readonly needsNetwork: boolean;
  /** Runs code that the repository brings along, and so runs only for a repository that its user trusts. */
  readonly runsRepositoryCode: boolean;
  readonly timeLimitMs: number;
  readonly versionArguments: readonly string[];
  /** Whether it can find anything there. */
  readonly isWorthwhile: (files: Inventory) => boolean;
  readonly command: (place: ScannerPlace) => ScannerCommand;
  /** Exit codes after which its result counts, whether it found anything or not. */
  readonly codesOfRun: readonly number[];
  /** Exit codes that say that there was nothing for it to scan. */
  readonly codesOfNothing?: readonly number[];
  readonly resultIn: 'file' | 'output';
  readonly environment?: (privateFolder: string) => Readonly<Record<string, string>>;
  /** Of a tool that also looks for what is no weakness: the rules that are about security. */
  readonly isSecurityRule?: (ruleId: string) => boolean;
}

export interface ScannerPlace {
  /** Of the repository; absolute and real. */
  readonly root: string;
  readonly inventory: Inventory;
  /** Absolute; where the result is to be written by scanners that write a file. */
  readonly resultFile: string;
  /** Of this scanner alone; absolute. */
  readonly privateFolder: string;
  /** Whether the repository has a file. */
  readonly has: (file: string) => boolean;
}

export interface ScannerCommand {
  readonly arguments: readonly string[];
  /** Where it is called: in its private folder unless it has to be in the repository, whose settings it would then find. */
  readonly folder: 'private' | 'repository';
}
