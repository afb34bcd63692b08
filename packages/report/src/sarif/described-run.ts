/** A run before its findings are made: its tool, its rules, how it ended, and which of its results count. */
import { limits } from '@svc/contract';
import { leftOutSentence, sumOf, totalOf } from '../intake/left-out.ts';
import { Candidates, worstFirst, type Chosen } from './candidates.ts';
import { fields, text, type Fields } from './parts.ts';
import type { WholeRun } from './external-parts.ts';
import { finalSeverityOf } from './findings.ts';
import { failuresOfRun, unreadable, type RunFailure } from './health.ts';
import type { Cleaner } from './messages.ts';
import { isRestored, omissionsOf, ownCoverage, type OwnCoverage } from './own-coverage.ts';
import { SeenResults } from './repeated.ts';
import { RuleBook } from './rules.ts';
import { isSuppressed } from './suppressions.ts';
import type { Counted, Tally } from './tally.ts';
import { Taxa } from './taxa.ts';

export interface DescribedRun {
  readonly run: WholeRun;
  readonly tool: string;
  readonly rules: RuleBook;
  readonly taxa: Taxa;
  readonly candidates: Candidates;
  /** What our own export says about the coverage of its report. */
  readonly own: OwnCoverage | undefined;
  /** Why the results of the run may be incomplete. */
  readonly failures: readonly RunFailure[];
}

export const TOOL_NAME_LENGTH_MAX = 120;

export interface RunContext {
  readonly cleaner: Cleaner;
  readonly tally: Tally;
  /** Whether every result fits into a report, so that no result needs a rank. */
  readonly hasRoomForAll: boolean;
}

export function describedRun(run: WholeRun, context: RunContext): DescribedRun {
  const { cleaner, tally } = context;
  const tool = toolNameOf(run.fields, cleaner);
  const described = {
    run,
    tool,
    rules: new RuleBook(fields(run.fields['tool']), run.fields['invocations']),
    taxa: new Taxa(run.fields),
  };
  const own = ownCoverage(run.fields, tool, cleaner);
  const failures = [
    ...failuresOfRun(run, tool, (notification) => own !== undefined && isRestored(notification, own)),
    ...omissionsOf(run.fields, tool, run.results?.length ?? 0),
  ];
  for (const { sentence } of failures) tally.note(sentence);
  const { candidates, unreadableCount } = candidatesOf(described, context);
  return { ...described, candidates, own, failures: [...failures, ...unreadable(unreadableCount, tool)] };
}

function toolNameOf(run: Fields, cleaner: Cleaner): string {
  const driver = fields(fields(run['tool'])['driver']);
  const name = text(driver['name']) ?? text(driver['fullName']) ?? 'Unnamed tool';
  return cleaner.name(name.trim(), TOOL_NAME_LENGTH_MAX);
}

/** Results that state that nothing is wrong. */
const UNCONCERNING = new Set(['pass', 'notApplicable', 'informational']);

function candidatesOf(
  { run, tool, rules, taxa }: Pick<DescribedRun, 'run' | 'tool' | 'rules' | 'taxa'>,
  { cleaner, tally, hasRoomForAll }: RunContext,
) {
  const { results = { length: 0, at: () => undefined } } = run;
  const seen = new SeenResults(results);
  const candidates = new Candidates(results.length);
  let unreadableCount = 0;
  for (let index = 0; index < results.length; index += 1) {
    const result = results.at(index);
    const reason = result === undefined ? 'unreadable' : reasonToLeaveOut(result, index, seen);
    if (reason !== undefined) tally.count(reason);
    if (reason === 'unreadable') unreadableCount += 1;
    if (reason !== undefined || result === undefined) continue;
    if (hasRoomForAll) candidates.add(index, 'info', false);
    else {
      const severity = finalSeverityOf(result, rules.ruleOf(result), { tool, taxa, cleaner });
      candidates.add(index, severity, isSuppressed(result));
    }
  }
  return { candidates, unreadableCount };
}

function reasonToLeaveOut(result: Fields, index: number, seen: SeenResults): Counted | undefined {
  if (UNCONCERNING.has(text(result['kind']) ?? '')) return 'unconcerning';
  if (result['baselineState'] === 'absent') return 'absent';
  return seen.isRepeated(result, index) ? 'repeated' : undefined;
}

/**
 * The results of each run that become findings: together as many as a report may have. The least severe are left out.
 */
export function chosenResults(runs: readonly DescribedRun[], tally: Tally): Chosen[] {
  const chosen = worstFirst(
    runs.map(({ candidates }) => candidates),
    limits.report.findingsMax,
  );
  const leftOut = sumOf(chosen.map((each) => each.leftOut));
  if (totalOf(leftOut) > 0) {
    const reason = `a report can have at most ${limits.report.findingsMax.toLocaleString('en')} findings`;
    tally.note(leftOutSentence(leftOut, 'result', reason));
  }
  return chosen;
}
