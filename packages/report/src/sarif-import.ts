/**
 * SARIF 2.1.0 to findings: what a scanner found, with at most the few lines of code that it shows and without secrets. Passed and inapplicable results
 * and those gone since the baseline are left out, repeated ones count once, suppressed ones come as accepted risks. The
 * same log gives the same findings with the same fingerprints, also when code has moved within its files.
 */
import { limits, severities } from '@svc/contract';
import type { Arrival } from './deduplication.ts';
import { fingerprintOf, rootCausesOfImport } from './fingerprint.ts';
import { severityOf } from './sarif-classification.ts';
import { fields, items, readSarif, text, type Fields } from './sarif-document.ts';
import { findingOf, isSuppressed, type DraftFinding } from './sarif-findings.ts';
import { Places } from './sarif-locations.ts';
import { Cleaner } from './sarif-messages.ts';
import { ownWords } from './sarif-own.ts';
import { RuleBook, type Rule } from './sarif-rules.ts';

export { SarifError } from './sarif-document.ts';

export interface SarifImportOptions {
  /**
   * Absolute paths or `file:` addresses. What lies under one of them is made relative to it: where the repository is,
   * and where it was when it was scanned.
   */
  readonly roots?: readonly string[];
}

export interface ImportedTool {
  readonly name: string;
  readonly version?: string;
  readonly findings: number;
}

export interface SarifImport {
  readonly findings: readonly Arrival[];
  readonly tools: readonly ImportedTool[];
  /** Sentences on what was left out or changed. */
  readonly warnings: readonly string[];
  /** Secrets that were taken out of the text. */
  readonly redactions: number;
}

interface Candidate {
  readonly run: number;
  readonly tool: string;
  readonly result: Fields;
  readonly rule: Rule;
}

const TOOL_NAME_LENGTH_MAX = 120;

/** @throws SarifError when it is no SARIF 2.1.0 log. */
export function importSarif(
  input: string | Uint8Array,
  { roots = [] }: SarifImportOptions = {},
): SarifImport {
  const runs = items(readSarif(input)['runs']).map(fields);
  const tally = new Tally();
  const cleaner = new Cleaner();
  if (runs.length === 0) tally.note('The log holds no run: the scanner may not have run to its end.');
  const names = runs.map((run) => toolNameOf(run, cleaner));
  const candidates = worstFirst(
    runs.flatMap((run, index) => candidatesOf(run, index, names[index] ?? '', tally)),
    tally,
  );
  const findings: Arrival[] = [];
  const tools: ImportedTool[] = [];
  runs.forEach((run, index) => {
    const context = { tool: names[index] ?? '', places: new Places(run, roots), cleaner };
    const imported = candidates
      .filter((candidate) => candidate.run === index)
      .map(({ result, rule }) => ({ result, ...findingOf(result, rule, context) }));
    for (const { result, isOutside, isAdjusted } of imported) {
      if (isOutside) tally.count('outside');
      if (isAdjusted) tally.count('adjusted');
      if (isSuppressed(result)) tally.count('suppressed');
    }
    findings.push(...withFingerprints(imported, context.tool));
    const version = versionOf(run, cleaner);
    tools.push({ name: context.tool, ...(version !== undefined && { version }), findings: imported.length });
  });
  return {
    findings,
    tools: mergedTools(tools, tally),
    warnings: tally.warnings(),
    redactions: cleaner.count,
  };
}

function toolNameOf(run: Fields, cleaner: Cleaner): string {
  const driver = fields(fields(run['tool'])['driver']);
  const name = text(driver['name']) ?? text(driver['fullName']) ?? 'Unnamed tool';
  return cleaner.clean(name.trim(), TOOL_NAME_LENGTH_MAX);
}

function versionOf(run: Fields, cleaner: Cleaner): string | undefined {
  const driver = fields(fields(run['tool'])['driver']);
  const version = text(driver['semanticVersion']) ?? text(driver['version']);
  return version === undefined ? undefined : cleaner.clean(version, TOOL_NAME_LENGTH_MAX);
}

/** What states that there is nothing wrong. */
const UNCONCERNING = new Set(['pass', 'notApplicable', 'informational']);

function candidatesOf(run: Fields, index: number, tool: string, tally: Tally): Candidate[] {
  const rules = new RuleBook(fields(run['tool']));
  if (items(fields(run['externalPropertyFileReferences'])['results']).length > 0)
    tally.note(`${tool} keeps results in other files, which are not read: have it write one file.`);
  else if (!Array.isArray(run['results']))
    tally.note(`${tool} recorded no results: see whether its scan ran.`);
  if (items(run['invocations']).some((invocation) => fields(invocation)['executionSuccessful'] === false))
    tally.note(`${tool} says that its scan failed: its results may not be all.`);
  const seen = new Set<string>();
  return items(run['results']).flatMap((given): Candidate[] => {
    const result = fields(given);
    if (UNCONCERNING.has(text(result['kind']) ?? '')) return tally.skip('unconcerning');
    if (result['baselineState'] === 'absent') return tally.skip('absent');
    const { ruleId, ruleIndex, rule, message, locations } = result;
    const own = ownWords(result, tool)?.fingerprint;
    const key = JSON.stringify([ruleId, ruleIndex, rule, message, locations, own]);
    if (seen.has(key)) return tally.skip('repeated');
    seen.add(key);
    return [{ run: index, tool, result, rule: rules.ruleOf(result) }];
  });
}

/** As many as a report may hold; when there are more, the least severe are left out. The order stays. */
function worstFirst(candidates: readonly Candidate[], tally: Tally): readonly Candidate[] {
  const excess = candidates.length - limits.report.findingsMax;
  if (excess <= 0) return candidates;
  tally.count('excess', excess);
  const kept = candidates
    .map((candidate) => ({
      candidate,
      rank: severities.indexOf(severityOf(candidate.result, candidate.rule, candidate.tool)),
    }))
    .toSorted((one, other) => one.rank - other.rank)
    .slice(0, limits.report.findingsMax);
  const isKept = new Set(kept.map(({ candidate }) => candidate));
  return candidates.filter((candidate) => isKept.has(candidate));
}

/** The tool's own fingerprints; those that are equal for different places of one file are told apart by their order. */
function withFingerprints(
  imported: readonly (DraftFinding & { readonly result: Fields })[],
  tool: string,
): Arrival[] {
  const seen = new Map<string, number>();
  const results = imported.map(({ result, finding, ruleId, line }) => {
    const place = finding.affected.file ?? finding.affected.route ?? finding.affected.origin ?? '';
    const partialFingerprints = partialFingerprintsOf(result);
    const key = JSON.stringify([ruleId, place, partialFingerprints]);
    const occurrence = (seen.get(key) ?? 0) + 1;
    seen.set(key, occurrence);
    const isGiven = Object.keys(partialFingerprints).length > 0;
    return {
      ruleId,
      line,
      place,
      ...(isGiven && {
        partialFingerprints:
          occurrence === 1 ? partialFingerprints : { ...partialFingerprints, occurrence: String(occurrence) },
      }),
    };
  });
  return rootCausesOfImport(results).map((rootCause, index) => {
    const { finding, result } = imported[index] as (typeof imported)[number];
    const known = ownWords(result, tool)?.fingerprint;
    return { ...finding, fingerprint: known ?? fingerprintOf({ ...finding, rootCause }) };
  });
}

/** Names of hashes of the whole file, and of who wrote a line and when, which say nothing of the result itself. */
const NO_FINGERPRINT = /file|author|email|date|message/i;
/** What a tool says to those who are not its customers. */
const NO_VALUE = /^requires login$/i;

function partialFingerprintsOf(result: Fields): Record<string, string> {
  const given = Object.entries(fields(result['partialFingerprints'])).flatMap(([name, value]) => {
    const fingerprint = text(value);
    const isUsable = fingerprint !== undefined && !NO_VALUE.test(fingerprint) && !NO_FINGERPRINT.test(name);
    return isUsable ? [[name, fingerprint] as const] : [];
  });
  return Object.fromEntries(given);
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
  if (merged.length > limits.report.toolsMax) tally.note(`Of ${merged.length} tools only 64 are named.`);
  return merged.slice(0, limits.report.toolsMax);
}

type Counted = 'unconcerning' | 'absent' | 'repeated' | 'suppressed' | 'excess' | 'outside' | 'adjusted';

const sentences: Readonly<Record<Counted, (results: string) => string>> = {
  unconcerning: (results) => `${results} left out: passed, not applicable or only informational.`,
  absent: (results) => `${results} left out: gone since the baseline of the log.`,
  repeated: (results) => `${results} left out: the same as an earlier one.`,
  suppressed: (results) => `${results} taken as accepted risk: suppressed in the log.`,
  excess: (results) =>
    `${results} left out, the least severe ones: a report holds ${limits.report.findingsMax}.`,
  outside: (results) =>
    `${results} outside the repository by an absolute path: run the scanner in the repository.`,
  adjusted: (results) => `${results} lowered in severity: not verified, or only a hint in their category.`,
};

class Tally {
  readonly #notes: string[] = [];
  readonly #counts = new Map<Counted, number>();

  note(sentence: string): void {
    if (!this.#notes.includes(sentence) && this.#notes.length < limits.issuesMax) this.#notes.push(sentence);
  }

  count(what: Counted, by = 1): void {
    this.#counts.set(what, (this.#counts.get(what) ?? 0) + by);
  }

  skip(what: Counted): [] {
    this.count(what);
    return [];
  }

  warnings(): string[] {
    const counted = (Object.keys(sentences) as Counted[]).flatMap((what) => {
      const count = this.#counts.get(what) ?? 0;
      return count === 0 ? [] : [sentences[what](count === 1 ? '1 result' : `${count} results`)];
    });
    return [...this.#notes, ...counted];
  }
}
