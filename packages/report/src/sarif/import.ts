/**
 * Imports SARIF 2.1.0: the findings of a scanner, with at most the few lines of code that it shows and without
 * secrets. Passed, inapplicable, informational and absent results are left out; repeated ones count once; suppressed
 * ones are set aside. The same log gives the same findings with the same fingerprints, even after code has moved within
 * its files.
 */
import { limits } from '@svc/contract';
import { OWN_TOOL } from '../identity/own-names.ts';
import type { Lines } from '../identity/line-context.ts';
import type { Arrival } from '../intake/deduplication.ts';
import { noneLeftOut, totalOf, type SeverityCounts } from '../intake/left-out.ts';
import type { Chosen } from './candidates.ts';
import { chosenResults, describedRun, TOOL_NAME_LENGTH_MAX } from './described-run.ts';
import { readSarif, type ByteSource, type LogRun } from './document.ts';
import { fields, text, type Fields } from './parts.ts';
import { withExternalParts } from './external-parts.ts';
import type { FileIndex } from './file-index.ts';
import { findingOf } from './findings.ts';
import { leftOutFailure, noRun, tooManyRuns, worstFailure, type RunFailure } from './health.ts';
import { identified } from './identified.ts';
import { FindingLocations } from './locations.ts';
import { Losses } from './losses.ts';
import { Cleaner } from './messages.ts';
import { revisionOf } from './revision.ts';
import { isSuppressed } from './suppressions.ts';
import { loweredBy, type OwnCoverage } from './own-coverage.ts';
import { withShortParts } from './shared-parts.ts';
import { Tally } from './tally.ts';
import { areasOfTool, type ToolAreas } from './tool-areas.ts';
import { toolsOf } from './tools.ts';

export { SarifError, type ByteSource } from './document.ts';
export { FileIndex } from './file-index.ts';
export type { RunFailure } from './health.ts';
export { generalAreas, type GeneralArea } from './tool-areas.ts';

export interface SarifImportOptions {
  /**
   * Absolute paths or `file:` addresses. Paths under one of them become relative to it: the location of the
   * repository now, and at the time of the scan.
   */
  readonly roots?: readonly string[];
  /**
   * The lines of a file of the checkout, by its path from the root; undefined for a missing or unreadable file. They
   * are compared and hashed, and never become part of a finding.
   */
  readonly linesOf?: (file: string) => Lines | undefined;
  /**
   * The files of the checkout. A path that leads to none of them is matched with the file whose path has the same end,
   * if exactly one does.
   */
  readonly files?: FileIndex;
  /**
   * The log was written on this machine in the first root, so an absolute path under no root is outside the
   * repository.
   */
  readonly isFromHere?: boolean;
  /**
   * Replaces the paths of this machine in a text. Applied to names, which become ids, tags and categories; the report
   * replaces those in other texts.
   */
  readonly withoutLocalPaths?: (text: string) => string;
}

export interface ImportedTool {
  readonly name: string;
  readonly version?: string;
  readonly findings: number;
}

/** One run of a tool: what it scanned, and why its results may be incomplete. */
export interface ToolRun extends ToolAreas {
  readonly tool: string;
  readonly failure?: RunFailure;
  /** In an export of our own: the areas of its report, and who made it. */
  readonly own?: OwnCoverage;
  /** Results that are not suppressed and do not fit into a report; absent if there are none. */
  readonly leftOut?: SeverityCounts;
}

export interface SarifImport {
  readonly findings: readonly Arrival[];
  readonly tools: readonly ImportedTool[];
  /** The runs in the order of the log. */
  readonly toolRuns: readonly ToolRun[];
  /** The commit that the whole log says it scanned. */
  readonly commit?: string;
  /** Set if the log has no run of a tool, or too many runs. */
  readonly failure?: RunFailure;
  /** Sentences about what was left out or changed. */
  readonly warnings: readonly string[];
  /** The number of redacted secrets. */
  readonly redactions: number;
}

/** @throws SarifError when it is not a SARIF 2.1.0 log. */
export function importSarif(
  input: string | Uint8Array | ByteSource,
  options: SarifImportOptions = {},
): SarifImport {
  const tally = new Tally();
  const cleaner = new Cleaner(options.withoutLocalPaths);
  const losses = new Losses();
  const log = readSarif(input);
  losses.count('deepParts', log.deepParts);
  const whole = withExternalParts(log);
  const resultCount = whole.reduce((count, { results }) => count + (results?.length ?? 0), 0);
  const hasRoomForAll = resultCount <= limits.report.findingsMax;
  const runs = whole.map((run) => describedRun(run, { cleaner, tally, hasRoomForAll }));
  const commit = revisionOf(whole);
  const failure = runs.length === 0 ? noRun : log.runsLeftOut > 0 ? tooManyRuns(log.runsLeftOut) : undefined;
  if (failure !== undefined) tally.note(failure.sentence);
  const chosen = chosenResults(runs, tally);
  const findings: Arrival[] = [];
  const tools: ImportedTool[] = [];
  const toolRuns: ToolRun[] = [];
  runs.forEach((described, index) => {
    const { run, tool, rules, taxa, own, failures } = described;
    const { kept, leftOut, leftOutOpen } = chosen[index] ?? nothingChosen;
    const shared = withShortParts(run.fields);
    losses.count('texts', shared.shortened);
    const locations = new FindingLocations(shared.run, options);
    const threadFlowLocations = shared.run['threadFlowLocations'];
    const context = { tool, locations, cleaner, losses, taxa, threadFlowLocations };
    locations.learnFrom(resultsAt(run, kept));
    const drafts = kept.map((at) => {
      const result = run.results?.at(at) ?? {};
      return { result, ...findingOf(result, rules.ruleOf(result), context) };
    });
    losses.count('paths', locations.pathsLeftOut);
    if (locations.ambiguousPaths > 0) tally.note(ambiguous(locations.ambiguousPaths, tool));
    for (const { result, isOutside, isAdjusted } of drafts) {
      if (isOutside) tally.count('outside');
      if (isAdjusted) tally.count('adjusted');
      if (isSuppressed(result)) tally.count('suppressed');
    }
    findings.push(...identified(drafts, tool, options.linesOf ?? (() => undefined)));
    const found = drafts.map(({ finding }) => finding);
    const worst = worstFailure([...failures, ...leftOutFailure(totalOf(leftOut), tool)]);
    toolRuns.push({
      tool,
      ...areasOfTool(tool, found),
      ...(worst && { failure: worst }),
      ...ownPart(run.fields, tool, own, worst),
      ...(totalOf(leftOutOpen) > 0 && { leftOut: leftOutOpen }),
    });
    const version = versionOf(run.fields, cleaner);
    const named = { name: tool, ...(version !== undefined && { version }) };
    for (const counted of toolsOf(run.fields, named, { findings: found, cleaner })) tools.push(counted);
  });
  return {
    findings,
    tools: mergedTools(tools, tally),
    toolRuns,
    ...(commit !== undefined && { commit }),
    ...(failure && { failure }),
    warnings: [...tally.warnings(), ...losses.warnings()],
    redactions: cleaner.count,
  };
}

const nothingChosen: Chosen = { kept: [], leftOut: noneLeftOut, leftOutOpen: noneLeftOut };

function ownPart(run: Fields, tool: string, own: OwnCoverage | undefined, failure: RunFailure | undefined) {
  if (failure === undefined) return own && { own };
  return tool === OWN_TOOL ? { own: loweredBy(run, own, failure) } : undefined;
}

function ambiguous(paths: number, tool: string): string {
  const named = paths === 1 ? `1 path of ${tool} matches` : `${paths} paths of ${tool} match`;
  return `${named} several files of the checkout, so none was chosen: run the scanner in the repository.`;
}

function versionOf(run: Fields, cleaner: Cleaner): string | undefined {
  const driver = fields(fields(run['tool'])['driver']);
  const version = text(driver['semanticVersion']) ?? text(driver['version']);
  return version === undefined ? undefined : cleaner.name(version, TOOL_NAME_LENGTH_MAX);
}

/** The results, read one after another, and not kept. */
function* resultsAt({ results }: LogRun, indexes: readonly number[]): Generator<Fields> {
  for (const index of indexes) yield results?.at(index) ?? {};
}

/** One entry for each tool and version. */
function mergedTools(tools: readonly ImportedTool[], tally: Tally): ImportedTool[] {
  const byName = new Map<string, ImportedTool>();
  for (const tool of tools) {
    const key = JSON.stringify([tool.name, tool.version]);
    const known = byName.get(key);
    byName.set(key, known === undefined ? tool : { ...known, findings: known.findings + tool.findings });
  }
  const merged = [...byName.values()];
  if (merged.length > limits.report.toolsMax) tally.note(`Only 64 of ${merged.length} tools are named.`);
  return merged.slice(0, limits.report.toolsMax);
}
