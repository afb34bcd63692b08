/**
 * The whole report of one log, made without a store, a checkout or an earlier report: what the CLI sends for the
 * same log in a folder without files.
 */
import { noFindings } from '../intake/deduplication.ts';
import { redactDeep } from '../secrets/redact.ts';
import { madeReport, type MadeReport, type ReportFacts } from './canonical-report.ts';
import { areasOf } from './coverage-areas.ts';
import {
  asLimitations,
  coverageOfFile,
  looksOfFile,
  toolsOfFile,
  warningsOfFile,
  type ImportedFile,
} from './imported-file.ts';
import { notesWithout, withImported, worstFirstWhenTooMany } from './imported-results.ts';
import { pathCleaner } from './local-paths.ts';

export interface LogReportOptions extends Pick<
  ReportFacts,
  'localReportId' | 'projectName' | 'effortRequested' | 'effortResolved' | 'agent' | 'host' | 'authorization'
> {
  /** RFC 3339, UTC. */
  readonly startedAt: string;
  readonly at: string;
  readonly sizeBytesMax: number;
}

/** @throws InvalidReportError */
export function reportOfLog(file: ImportedFile, options: LogReportOptions): MadeReport {
  const { startedAt, at, sizeBytesMax, ...described } = options;
  const { value: details } = redactDeep(described);
  const { imported } = file;
  const findings = worstFirstWhenTooMany(imported.findings);
  const nothing = { candidateCount: 0, duplicateCount: 0, redactions: 0, tools: [] };
  const added = withImported(noFindings, nothing, { ...imported, findings }, at);
  const { tools, ...counts } = added.counted;
  const notes = {
    coverage: coverageOfFile(file),
    coverageAreas: areasOf({ looks: looksOfFile(file), tools: toolsOfFile(file) }),
    limitations: asLimitations(warningsOfFile(file)),
  };
  const facts = {
    ...details,
    ...counts,
    ...notesWithout(notes, added, details.agent.name),
    scan: { startedAt, finishedAt: at, tools },
  };
  return madeReport(facts, added.set.findings, { at, sizeBytesMax, paths: pathCleaner({ homes: [] }) });
}
