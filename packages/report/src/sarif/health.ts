/**
 * Whether a tool finished, according to its run. The signs are those of Appendix I of SARIF 2.1.0: an unsuccessful
 * invocation, a notification of level `error`, a run without results. The same applies to unread parts of a run: parts
 * in other files, results that are not objects, and results beyond the limit of a report.
 *
 * A notification that names a file or a rule concerns only that: the run is partial. One that names neither concerns
 * the whole run.
 *
 * Sentences are fixed. Besides the tool's name they repeat nothing of the log.
 */
import type { Fields } from './parts.ts';
import { invocationsOf, isUnsuccessful } from './execution.ts';
import type { WholeRun } from './external-parts.ts';
import { errorsIn, isOfOnePart } from './notifications.ts';

export interface RunFailure {
  /** The tool finished, but could not scan everything. */
  readonly isPartial: boolean;
  readonly sentence: string;
}

/**
 * Empty for a complete run.
 * @param tool the tool's name, as findings show it
 * @param isKnown whether a notification repeats what the log says elsewhere
 */
export function failuresOfRun(
  run: WholeRun,
  tool: string,
  isKnown: (notification: Fields) => boolean = () => false,
): RunFailure[] {
  const hasFailed = invocationsOf(run.fields).some((invocation) => isUnsuccessful(invocation, run, tool));
  const errors = errorsIn(run.fields).filter((notification) => !isKnown(notification));
  const isOfAll = errors.some((error) => !isOfOnePart(error));
  const consequence =
    errors.length > 0 && !isOfAll
      ? 'it reports errors in some files or rules'
      : 'its results may be incomplete';
  return [
    ...resultFailuresOf(run, tool),
    ...(hasFailed ? [failed(`${tool} reports that its scan failed: ${consequence}.`)] : []),
    ...(isOfAll ? [failed(`${tool} reports a scan error: its results may be incomplete.`)] : []),
    ...(errors.length > 0 && !isOfAll && !hasFailed
      ? [partial(`${tool} could not scan everything: it reports errors in some files or rules.`)]
      : []),
  ];
}

export function worstFailure(failures: readonly RunFailure[]): RunFailure | undefined {
  return failures.find(({ isPartial }) => !isPartial) ?? failures[0];
}

/** The failure of a log without any run, which belongs to no tool. */
export const noRun: RunFailure = failed('The log has no run: the scanner may not have finished.');

/** The failure of a log that has more runs than are read. */
export function tooManyRuns(leftOut: number): RunFailure {
  return partial(`The log has more than 10,000 runs; left out: ${leftOut}. Write one log for each tool.`);
}

function resultFailuresOf({ results, missing }: WholeRun, tool: string): RunFailure[] {
  if (missing.includes('results')) {
    const sentence = `${tool} keeps results in other files, which are not read. Configure it to write one file.`;
    return [(results?.length ?? 0) > 0 ? partial(sentence) : failed(sentence)];
  }
  if (results === undefined) return [failed(`${tool} recorded no results. Check whether its scan ran.`)];
  if (missing.length === 0) return [];
  return [
    partial(
      `${tool} keeps parts of its log in other files, which are not read. Configure it to write one file.`,
    ),
  ];
}

/** The failure for results that were not read. */
export function unreadable(count: number, tool: string): RunFailure[] {
  if (count === 0) return [];
  const results = count === 1 ? '1 result' : `${count} results`;
  return [partial(`${tool} has ${results} that cannot be read: not an object, or longer than 8 MiB.`)];
}

/** The failure for results beyond the limit of a report. */
export function leftOutFailure(count: number, tool: string): RunFailure[] {
  if (count === 0) return [];
  const results = count === 1 ? '1 result is' : `${count.toLocaleString('en')} results are`;
  return [partial(`${tool} has more results than a report can contain: ${results} left out.`)];
}

function failed(sentence: string): RunFailure {
  return { isPartial: false, sentence };
}

function partial(sentence: string): RunFailure {
  return { isPartial: true, sentence };
}
