/**
 * What a report says about an imported log: what its tools scanned, and what was left out. The sentences are
 * predefined.
 */
import { limits } from '@svc/contract';
import { incompleteTools, isToolArea, toolOfArea } from '../reading/coverage.ts';
import type { SarifImport } from '../sarif/import.ts';
import {
  scanSubjects,
  statusAfter,
  type CoverageArea,
  type SubjectLook,
  type ToolState,
} from './coverage-areas.ts';

export interface ImportedFile {
  /** The file's name for messages, without folders and without secrets. */
  readonly name: string;
  readonly imported: SarifImport;
  /** Set for a truncated log, of which nothing was imported. */
  readonly isTruncated?: true;
}

export function looksOfFile({ imported }: ImportedFile): SubjectLook[] {
  return imported.toolRuns.flatMap(({ tool, own, areas, whole, failure }) =>
    own === undefined
      ? areas.map((area) => ({
          by: tool,
          area,
          isGeneral: whole.includes(area),
          status: statusAfter(failure),
        }))
      : looksOfReport(tool, own.areas),
  );
}

/**
 * The subjects that an exported report scanned. A subject that it did not cover is listed only if a tool of the report
 * did not scan everything.
 */
function looksOfReport(by: string, areas: readonly CoverageArea[]): SubjectLook[] {
  const hasGaps = incompleteTools(areas).length > 0;
  return scanSubjects.flatMap(([area]): SubjectLook[] => {
    const { status = 'not_covered' } = areas.find(({ id }) => id === area) ?? {};
    if (status === 'not_covered' && !hasGaps) return [];
    return [{ by, area, isGeneral: status === 'covered', status }];
  });
}

export function toolsOfFile({ name, imported }: ImportedFile): ToolState[] {
  const { failure: ofLog } = imported;
  return [
    ...(ofLog === undefined
      ? []
      : [{ tool: name, status: statusAfter(ofLog), note: `${name}: ${ofLog.sentence}` }]),
    ...imported.toolRuns.flatMap(({ tool, own, failure }): ToolState[] => [
      ...(own?.areas ?? [])
        .filter(isToolArea)
        .map((area) => ({ tool: toolOfArea(area), status: area.status, note: area.note })),
      ...(own === undefined || failure !== undefined
        ? [{ tool, status: statusAfter(failure), note: failure?.sentence }]
        : []),
    ]),
  ];
}

/** What was imported, as the report states it; nothing for a truncated log. */
export function coverageOfFile({ name, imported, isTruncated }: ImportedFile): string[] {
  if (isTruncated === true) return [];
  const tools = imported.tools.map((tool) => tool.name).join(', ');
  const line =
    tools === '' ? `${name} contains no scanner results.` : `Results of ${tools} were imported from ${name}.`;
  return [line.slice(0, limits.report.coverageLengthMax)];
}

export function warningsOfFile({ name, imported }: ImportedFile): string[] {
  return imported.warnings.map((line) => `${name}: ${line}`);
}

/** Sentences within the limits of a report's limitations. */
export function asLimitations(sentences: readonly string[]): string[] {
  const { limitationLengthMax, limitationsMax } = limits.report;
  return sentences.map((sentence) => sentence.slice(0, limitationLengthMax)).slice(0, limitationsMax);
}
