/** A comparison with the statuses that count for its gate. */
import type { Comparison } from '@svc/report';
import type { Invocation } from '../command.ts';
import { decide, type Decided } from '../decisions/decide.ts';
import type { Terminal } from '../terminal/terminal.ts';
import type { ComparedFinding, ComparisonSide } from './side.ts';

type Compared = Comparison<ComparedFinding, ComparedFinding>;

export interface DecidedComparison {
  readonly comparison: Compared;
  /** Undefined when no decisions were looked up. */
  readonly decided?: Decided<ComparedFinding>;
}

/** Decisions are looked up for a gate, or if `--decisions` was given. */
export async function decidedComparison(
  current: ComparisonSide,
  comparison: Compared,
  invocation: Invocation,
  terminal: Terminal,
): Promise<DecidedComparison> {
  const { options } = invocation;
  if (options['failOnNew'] === undefined && options['decisions'] === undefined) return { comparison };
  const { findings, local } = current;
  const decided = await decide(invocation, terminal, {
    findings,
    moves: [...(local?.moves ?? []), ...comparison.moves],
    folder: local?.repositoryRoot ?? invocation.folder,
    local,
  });
  const statuses = new Map(findings.map((finding, index) => [finding, decided.findings[index]]));
  const now = (finding: ComparedFinding) => statuses.get(finding) ?? finding;
  return {
    decided,
    comparison: {
      ...comparison,
      new: comparison.new.map(now),
      unchanged: comparison.unchanged.map(now),
      raised: comparison.raised.map(({ before, now: raised }) => ({ before, now: now(raised) })),
    },
  };
}
