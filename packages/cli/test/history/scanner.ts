/** The scanners of a history, and how their logs can vary between runs. */
import { jsonOf } from '../svc.ts';
import type { Tree } from './tree.ts';

export interface Scanner {
  /** The name in its logs. */
  readonly name: string;
  /** The scanner's log about these files, which are in that folder. */
  readonly log: (tree: Tree, folder: string) => string;
}

export interface Manner {
  /** Uses other texts for its rules and results than before. */
  readonly isReworded?: boolean;
  /** Fails after its first results. */
  readonly hasFailed?: boolean;
}

export interface Log {
  readonly version: string;
  readonly runs: readonly LogRun[];
}

interface LogRun {
  readonly tool: { readonly driver: { readonly name: string; readonly rules?: readonly object[] } };
  readonly results: readonly LogResult[];
}

interface LogResult {
  readonly ruleId?: string;
  readonly level?: string;
  readonly message: { readonly text: string };
  readonly locations: readonly object[];
  readonly fingerprints?: object;
  readonly partialFingerprints?: object;
}

export function parsedLog(text: string): Log {
  return jsonOf(text) as Log;
}

export function inManner(text: string, { isReworded = false, hasFailed = false }: Manner): string {
  const { runs, ...log } = parsedLog(text);
  return JSON.stringify({
    ...log,
    runs: runs.map((run) => (isReworded ? reworded(run) : run)).map((run) => (hasFailed ? failed(run) : run)),
  });
}

function reworded({ tool: { driver }, results, ...run }: LogRun): LogRun {
  const tags = ['security', 'external/cwe/cwe-120'];
  return {
    ...run,
    tool: {
      driver: { ...driver, rules: (driver.rules ?? []).map((rule) => ({ ...rule, properties: { tags } })) },
    },
    results: results.map((result) => ({
      ...result,
      level: result.level === 'note' ? 'warning' : 'note',
      message: { text: `Avoid this: ${result.message.text}` },
    })),
  };
}

function failed(run: LogRun): LogRun & { readonly invocations: readonly object[] } {
  return {
    ...run,
    results: run.results.slice(0, run.results.length / 3),
    invocations: [{ executionSuccessful: false }],
  };
}

/** Removes the lines that a log quotes. */
export function withoutSnippets(text: string): string {
  return JSON.stringify(parsedLog(text), (key, value: unknown) =>
    key === 'snippet' || key === 'contextRegion' ? undefined : value,
  );
}

/** Adds the first line of each result. */
export function withSnippets(text: string, tree: Tree, folder: string): string {
  return JSON.stringify(parsedLog(text), (key, value: unknown) => {
    if (key !== 'physicalLocation') return value;
    const { artifactLocation, region } = value as {
      artifactLocation?: { uri?: string };
      region?: { startLine?: number };
    };
    const file = artifactLocation?.uri?.replace(`file://${folder}/`, '') ?? '';
    const line = tree.get(file)?.[(region?.startLine ?? 0) - 1];
    return line ? { artifactLocation, region: { ...region, snippet: { text: line.text } } } : value;
  });
}

/** The distinct results of a log. */
export function resultKeysIn(text: string): Set<string> {
  const { runs } = parsedLog(text);
  return new Set(
    runs.flatMap(({ tool, results }) =>
      results.map(({ ruleId, message, locations, fingerprints, partialFingerprints }) =>
        JSON.stringify([tool.driver.name, ruleId, message, locations, fingerprints, partialFingerprints]),
      ),
    ),
  );
}
