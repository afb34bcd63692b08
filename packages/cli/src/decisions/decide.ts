/**
 * Which decisions count for a gate or an export, and where they come from: the service if the repository is bound and this
 * machine is linked, else this machine. `--decisions` overrides this.
 */
import type { MovedIdentity } from '@svc/contract';
import { fingerprintsToAsk } from '@svc/report';
import type { Invocation } from '../command.ts';
import { LOGIN } from '../connection/link-hint.ts';
import { CliError } from '../errors.ts';
import type { LocalReport } from '../store/local-report.ts';
import { safeLine } from '../terminal/safe-text.ts';
import type { Terminal } from '../terminal/terminal.ts';
import {
  decidedByService,
  isDecidedHere,
  undecided,
  type DecidedFindings,
  type Judged,
} from './decided-findings.ts';
import { serviceDecisions, type ServiceDecisions } from './service-decisions.ts';

export type DecisionSource = 'service' | 'local' | 'none';

export interface Decided<Given extends Judged> extends DecidedFindings<Given> {
  readonly source: DecisionSource;
}

export interface ToDecide<Given extends Judged> {
  readonly findings: readonly Given[];
  /** Fingerprints that the findings had in earlier reports. */
  readonly moves: readonly MovedIdentity[];
  /** A folder in the repository. */
  readonly folder: string;
  /** The local report that has the findings; undefined for a file. */
  readonly local: LocalReport | undefined;
}

/** `decisions` in the results with `--json`. */
export function decisionsJson(
  decided: Pick<Decided<Judged>, 'source' | 'applied'> | undefined,
): { source: DecisionSource; applied: number } | null {
  return decided === undefined ? null : { source: decided.source, applied: decided.applied };
}

/** @throws CliError when `--decisions service` was given and the decisions cannot be read, or after Ctrl+C. */
export async function decide<Given extends Judged>(
  invocation: Invocation,
  terminal: Pick<Terminal, 'note' | 'warn'>,
  given: ToDecide<Given>,
): Promise<Decided<Given>> {
  const wanted = invocation.options['decisions'] as DecisionSource | undefined;
  if (wanted === 'none') return none(given, terminal);
  const service = wanted === 'local' ? null : await asked(invocation, terminal, given, wanted);
  if (service === null) return local(given, terminal);
  const { origin, decisions } = service;
  const isTold = isKnownTo(service, given.local);
  const decided = decidedByService(given.findings, { decisions, moves: given.moves, isTold });
  terminal.note(`${setAside(decided.applied)} by decisions on ${safeLine(origin)}.`);
  return { source: 'service', ...decided };
}

/** Null when the decisions of this machine count instead. */
async function asked<Given extends Judged>(
  invocation: Invocation,
  terminal: Pick<Terminal, 'warn'>,
  { findings, moves, folder }: ToDecide<Given>,
  wanted: 'service' | undefined,
): Promise<ServiceDecisions | null> {
  const fingerprints = fingerprintsToAsk(findings.map(undecided), moves);
  try {
    const found = await serviceDecisions(invocation, { folder, fingerprints });
    if (found !== null || wanted === undefined) return found;
    throw new CliError('failed', 'There is no service to ask for decisions about this repository.', {
      hint: `Link this machine with ${LOGIN}, and bind the repository with svc init.`,
    });
  } catch (error) {
    if (!(error instanceof CliError) || invocation.signal.aborted || wanted !== undefined) throw error;
    terminal.warn(`${error.message} Decisions on this machine count instead.`);
    return null;
  }
}

function local<Given extends Judged>(
  { findings }: ToDecide<Given>,
  { note }: Pick<Terminal, 'note'>,
): Decided<Given> {
  const applied = findings.filter(isDecidedHere).length;
  if (applied > 0) note(`${setAside(applied)} by decisions on this machine.`);
  return { source: 'local', findings, applied };
}

function none<Given extends Judged>(
  { findings }: ToDecide<Given>,
  { note }: Pick<Terminal, 'note'>,
): Decided<Given> {
  const ignored = findings.filter(isDecidedHere).length;
  if (ignored > 0)
    note(`Decisions are ignored, so ${ignored} more ${ignored === 1 ? 'finding counts' : 'findings count'}.`);
  return { source: 'none', findings: findings.map(undecided), applied: 0 };
}

/**
 * Whether the service received the decisions of this machine with a report. A report of a branch other than the default
 * branch does not change its project. A report file is assumed to come from the service.
 */
function isKnownTo({ origin, projectId }: ServiceDecisions, report: LocalReport | undefined): boolean {
  if (report === undefined) return true;
  const { state, sync, scan } = report;
  const { branch, defaultBranch = branch } = scan;
  const isThere = state === 'synced' && sync.origin === origin && sync.projectId === projectId;
  return isThere && branch === defaultBranch;
}

function setAside(count: number): string {
  if (count === 0) return 'No finding is set aside';
  return count === 1 ? '1 finding is set aside' : `${count} findings are set aside`;
}
