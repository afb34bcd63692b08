/**
 * `svc compare`: the findings that are new since an earlier report, and those that are gone. It works without a service. A
 * missing finding counts as fixed only if the newer report scanned its code again, and git shows that the file was not
 * renamed.
 */
import type { Severity } from '@svc/contract';
import { whyUnknown } from '@svc/report/reading/looked-again';
import { compareFindings, type Comparison } from '@svc/report';
import type { Invocation, Run } from '../command.ts';
import { CliError } from '../errors.ts';
import { realPath } from '../files/paths.ts';
import { comparableBefore } from '../report/earlier.ts';
import { finishedReport, frozenOf } from '../report/finished.ts';
import { gateFailure, stoppedBy, type Gate } from '../report/gate.ts';
import { incompleteFailure } from '../report/incomplete.ts';
import { movedLines } from '../report/moved-lines.ts';
import { namedReport, withStore } from '../report/picked.ts';
import { safeLine } from '../terminal/safe-text.ts';
import { baselineNamed, orMissing } from './baseline.ts';
import { comparisonJson, comparisonLines } from './comparison-result.ts';
import { decidedComparison } from './decided-comparison.ts';
import { doubtsOf, warningsOf } from './doubts.ts';
import { sideNamed, sideOfLocal, type ComparedFinding, type ComparisonSide } from './side.ts';

export const run: Run = async (invocation, terminal) => {
  const { current, baseline } = await sidesOf(invocation);
  const left = [current, ...(baseline ? [baseline] : [])].flatMap(warningsOf);
  for (const warning of left) terminal.note(warning);
  if (baseline === undefined) terminal.note('There is no baseline yet, so nothing is compared.');
  const compared = baseline && (await comparisonOf(baseline, current, invocation));
  const { comparison, decided } = compared
    ? await decidedComparison(current, compared, invocation, terminal)
    : {};
  const gate = gateOf(invocation, comparison);
  const doubts = baseline && comparison ? doubtsOf(current, baseline, comparison) : [];
  const result = { current, baseline, comparison, gate, decided, warnings: [...left, ...doubts] };
  terminal.result(comparisonJson(result), () => comparisonLines(result, terminal));
  for (const doubt of doubts) terminal.warn(doubt);
  const incomplete = incompleteFailure(current.incomplete, {
    isGated: gate !== undefined,
    isAllowed: invocation.options['allowFailedScanners'] === true,
  });
  const stopped = gate && gateFailure(gate);
  if (stopped && incomplete) terminal.warn(incomplete.message);
  const failure = stopped ?? incomplete;
  if (failure) throw failure;
};

async function comparisonOf(
  baseline: ComparisonSide,
  current: ComparisonSide,
  { folder, environment }: Invocation,
): Promise<Comparison<ComparedFinding, ComparedFinding>> {
  const commits = baseline.commit && current.commit && { before: baseline.commit, now: current.commit };
  const later = { tools: current.tools, agent: current.agent, coverageAreas: current.coverageAreas };
  return compareFindings(baseline.findings, current.findings, {
    moved: commits
      ? await movedLines({ folder: await realPath(folder), environment, ...commits })
      : undefined,
    whyUnknown: (finding) =>
      whyUnknown(later, finding, baseline.agent ?? current.agent ?? '') ??
      (commits ? undefined : 'a report does not name its commit'),
  });
}

interface Sides {
  readonly current: ComparisonSide;
  /** Undefined when there is no baseline and none is needed. */
  readonly baseline: ComparisonSide | undefined;
}

async function sidesOf(invocation: Invocation): Promise<Sides> {
  const [name] = invocation.arguments;
  const { baseline: baselineName } = invocation.options;
  if (name === '-' && baselineName === '-') {
    throw new CliError('usage', 'Standard input can be read only once.', {
      hint: 'Name a file for one of them.',
    });
  }
  const current = typeof name === 'string' ? await currentNamed(name, invocation) : await newest(invocation);
  const baseline =
    typeof baselineName === 'string'
      ? await baselineNamed(baselineName, invocation)
      : orMissing(await previousOf(current, invocation), invocation);
  return { current, baseline };
}

function newest(invocation: Invocation): Promise<ComparisonSide> {
  return withStore(invocation, async (store) => sideOfLocal(await finishedReport(store, invocation)));
}

async function currentNamed(name: string, invocation: Invocation): Promise<ComparisonSide> {
  const side = await sideNamed(name, invocation);
  if (side !== undefined) return side;
  throw new CliError('failed', `There is no file and no local report ${safeLine(name)}.`, {
    hint: 'See which local reports there are: svc report list',
  });
}

/** The newest earlier finished report of the same part of the repository, or of a larger part that contains it. */
async function previousOf(
  { localReportId, file }: ComparisonSide,
  invocation: Invocation,
): Promise<ComparisonSide | undefined> {
  if (localReportId === null) {
    throw new CliError('usage', `No baseline given for ${safeLine(file ?? '')}.`, {
      hint: 'Name the earlier report: --baseline FILE',
    });
  }
  return withStore(invocation, (store) => {
    const previous = comparableBefore(store, namedReport(store, localReportId));
    return previous && sideOfLocal(frozenOf(store, previous));
  });
}

function gateOf(
  { options }: Invocation,
  comparison: Comparison<ComparedFinding, ComparedFinding> | undefined,
): Gate | undefined {
  if (options['failOnNew'] === undefined) return undefined;
  const severity = options['failOnNew'] as Severity;
  const { new: added, raised } = comparison ?? { new: [], raised: [] };
  return {
    severity,
    noun: raised.length > 0 ? 'new or more severe finding' : 'new finding',
    stopped: stoppedBy([...added, ...raised.map(({ now }) => now)], severity),
    hint: 'Fix the listed findings. To accept one, set it aside on its page, or make this report the next baseline.',
  };
}
