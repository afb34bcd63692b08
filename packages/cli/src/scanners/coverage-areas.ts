/** The coverage of a scan: by the built-in search, by scanners, and by imported logs. */
import {
  areasOf as areasOfLooked,
  scanSubjects,
  statusAfter,
  type CoverageArea,
  type SubjectLook,
  type ToolState,
} from '@svc/report/making/coverage-areas';
import { looksOfFile, toolsOfFile } from '@svc/report/making/imported-file';
import type { SecretCheck } from './secret-check.ts';
import { SECRET_CHECK } from './secret-findings.ts';
import { skipSentences, wasWanted, type ScannedParts, type ScannerRun } from './scanned-parts.ts';

export function areasOf({ secrets, runs, files }: ScannedParts): CoverageArea[] {
  return areasOfLooked({
    ...(secrets !== undefined && { builtIn: { isWhole: isWholeCheck(secrets) } }),
    looks: [...runs.flatMap((run) => lookOf(run)), ...files.flatMap((file) => looksOfFile(file))],
    tools: [
      ...(secrets === undefined
        ? []
        : [
            { tool: SECRET_CHECK, status: isCutShort(secrets) ? ('partial' as const) : ('covered' as const) },
          ]),
      ...runs.flatMap((run) => stateOf(run)),
      ...files.flatMap((file) => toolsOfFile(file)),
    ],
  });
}

function lookOf({ scanner, outcome }: ScannerRun): SubjectLook[] {
  if (outcome.status === 'skipped') return [];
  const area = scanSubjects.find(([, , phase]) => phase === scanner.phase)?.[0] ?? 'static_analysis';
  const status = outcome.status === 'failed' ? 'not_covered' : statusAfter(outcome.failure);
  return [{ by: scanner.name, area, isGeneral: scanner.isGeneral, status }];
}

function stateOf(run: ScannerRun): ToolState[] {
  const { scanner, outcome } = run;
  const tool = scanner.name;
  if (outcome.status === 'failed') return [{ tool, status: 'not_covered', note: outcome.sentence }];
  if (outcome.status === 'ran')
    return [{ tool, status: statusAfter(outcome.failure), note: outcome.failure?.sentence }];
  return wasWanted(run) ? [{ tool, status: 'not_covered', note: skipSentences[outcome.reason](tool) }] : [];
}

function isWholeCheck(secrets: SecretCheck): boolean {
  return secrets.tooLarge === 0 && !isCutShort(secrets);
}

/** Files above the size limit are skipped by design, and are not part of what the tool scans. */
export function isCutShort({ isFull, unreadable }: SecretCheck): boolean {
  return isFull || unreadable > 0;
}
