/**
 * `svc compare`: what a report has that an earlier one had not, and the other way round. Nothing is asked of the service.
 * That a finding is gone is called so, and not a fix: the code may be fixed, or not have been looked at.
 */
import type { Severity } from '@svc/contract';
import { compareFindings, type Comparison } from '@svc/report';
import type { Invocation, Run } from '../command.ts';
import { CliError } from '../errors.ts';
import { finishedReport, frozenOf } from '../report/finished.ts';
import { gateFailure, stoppedBy, type Gate } from '../report/gate.ts';
import { withStore } from '../report/picked.ts';
import { previousReport } from '../store/reports.ts';
import { safeLine } from '../terminal/safe-text.ts';
import { baselineNamed, orMissing } from './baseline.ts';
import { comparisonJson, comparisonLines } from './comparison-result.ts';
import { sideNamed, sideOfLocal, type ComparedFinding, type Side } from './side.ts';

export const run: Run = async (invocation, terminal) => {
  const { current, baseline } = await sidesOf(invocation);
  for (const { warnings } of [current, ...(baseline ? [baseline] : [])])
    for (const warning of warnings) terminal.note(safeLine(warning));
  if (baseline === undefined) terminal.note('There is no baseline yet: nothing is compared.');
  const comparison = baseline && compareFindings(baseline.findings, current.findings);
  const gate = gateOf(invocation, comparison);
  const compared = { current, baseline, comparison, gate };
  terminal.result(comparisonJson(compared), () => comparisonLines(compared, terminal));
  if (baseline && comparison)
    for (const doubt of doubtsOf(current, baseline, comparison)) terminal.warn(doubt);
  const failure = gate && gateFailure(gate);
  if (failure) throw failure;
};

interface Sides {
  readonly current: Side;
  /** Undefined when there is none, and none need be. */
  readonly baseline: Side | undefined;
}

async function sidesOf(invocation: Invocation): Promise<Sides> {
  const [name] = invocation.arguments;
  const { baseline: baselineName } = invocation.options;
  if (name === '-' && baselineName === '-') {
    throw new CliError('usage', 'Standard input can be read once only.', {
      hint: 'Name a file for one of the two.',
    });
  }
  const current = typeof name === 'string' ? await currentNamed(name, invocation) : await newest(invocation);
  const baseline =
    typeof baselineName === 'string'
      ? await baselineNamed(baselineName, invocation)
      : orMissing(await previousOf(current, invocation), invocation);
  return { current, baseline };
}

function newest(invocation: Invocation): Promise<Side> {
  return withStore(invocation, async (store) => sideOfLocal(await finishedReport(store, invocation)));
}

async function currentNamed(name: string, invocation: Invocation): Promise<Side> {
  const side = await sideNamed(name, invocation);
  if (side !== undefined) return side;
  throw new CliError('failed', `There is no file and no local report ${safeLine(name)}.`, {
    hint: 'See which local reports there are: svc report list',
  });
}

/** The finished report of the same repository before that one. */
async function previousOf({ localReportId, file }: Side, invocation: Invocation): Promise<Side | undefined> {
  if (localReportId === null) {
    throw new CliError('usage', `What is ${safeLine(file ?? '')} to be compared with?`, {
      hint: 'Name the earlier report: --baseline FILE',
    });
  }
  return withStore(invocation, (store) => {
    const previous = previousReport(store, localReportId);
    return previous && sideOfLocal(frozenOf(store, previous));
  });
}

function gateOf(
  { options }: Invocation,
  comparison: Comparison<ComparedFinding, ComparedFinding> | undefined,
): Gate | undefined {
  if (options['failOnNew'] === undefined) return undefined;
  const severity = options['failOnNew'] as Severity;
  return {
    severity,
    noun: 'new finding',
    stopped: stoppedBy(comparison?.new ?? [], severity),
    hint: 'Fix what is listed, or make this report the next baseline if it is accepted.',
  };
}

/** Why findings may be new or gone though nothing has changed in the code. */
function doubtsOf(
  current: Side,
  baseline: Side,
  { fixed, unchanged }: Comparison<ComparedFinding, ComparedFinding>,
): string[] {
  const isApart = unchanged.length === 0 && current.findings.length > 0 && baseline.findings.length > 0;
  if (isApart) return ['No finding is in both reports: are they of one project, and is neither from a link?'];
  const present = new Set(current.tools.map(({ name }) => name));
  const missing = baseline.tools.filter(({ name, findings }) => findings !== 0 && !present.has(name));
  if (fixed.length === 0 || missing.length === 0) return [];
  const names = [...new Set(missing.map(({ name }) => safeLine(name)))].join(', ');
  return [
    `The baseline was made with ${names}, and this report was not: what only they find is not seen any more.`,
  ];
}
