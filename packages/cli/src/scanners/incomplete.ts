/** The gaps of a scan, for a gate that depends on them and for the person who must fix them. */
import { incompleteInLog, type Incomplete } from '../report/incomplete.ts';
import { isCutShort } from './coverage-areas.ts';
import type { SkipReason } from './run-scanner.ts';
import { SECRET_CHECK } from './secret-findings.ts';
import {
  failureWords,
  skipSentences,
  wasWanted,
  type ScannedParts,
  type ScannerRun,
} from './scanned-parts.ts';
import { limitationsOfSecrets } from './summary.ts';

/**
 * Gaps of tools that were asked for, and of those that ran. A tool that was neither asked for nor installed is not a gap.
 */
export function incompleteOf({ secrets, runs, files }: ScannedParts): Incomplete[] {
  return [
    ...(secrets !== undefined && isCutShort(secrets)
      ? [
          {
            tool: SECRET_CHECK,
            file: null,
            reason: 'partial' as const,
            message: limitationsOfSecrets({ ...secrets, tooLarge: 0, vendored: 0 }).join(' '),
          },
        ]
      : []),
    ...runs.flatMap((run) => incompleteRun(run)),
    ...files.flatMap(({ name, imported, isTruncated }) =>
      isTruncated === true
        ? [
            {
              tool: null,
              file: name,
              reason: 'truncated' as const,
              message: `${name}: ${imported.failure?.sentence ?? ''}`,
            },
          ]
        : incompleteInLog(imported, name),
    ),
  ];
}

function incompleteRun(run: ScannerRun): Incomplete[] {
  const { scanner, outcome } = run;
  const of = { tool: scanner.name, file: null };
  switch (outcome.status) {
    case 'failed':
      return [{ ...of, reason: 'failed', message: failureWords(outcome) }];
    case 'ran':
      return outcome.failure === undefined
        ? []
        : [
            {
              ...of,
              reason: outcome.failure.isPartial ? 'partial' : 'failed',
              message: outcome.failure.sentence,
            },
          ];
    case 'skipped':
      return wasWanted(run)
        ? [
            {
              ...of,
              reason: 'not_run',
              message: `${skipSentences[outcome.reason](scanner.name)} ${steps[outcome.reason]}`.trimEnd(),
            },
          ]
        : [];
  }
}

const steps: Readonly<Record<SkipReason, string>> = {
  not_installed: 'Install it, or leave it out of --only.',
  nothing_to_scan: '',
  untrusted: 'If you trust the repository: --trust-repository',
  offline: 'Leave --offline out.',
  no_formatter: 'Install the package @microsoft/eslint-formatter-sarif there.',
};
