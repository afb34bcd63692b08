/** Changes the status of findings, and keeps the outcome of the last change. */
import type { FindingStatus, ProjectedFinding } from '@svc/contract';
import { useState } from 'react';
import { canBecome, moveAll, type Triage } from './triage.ts';
import type { Selection } from './use-selection.ts';

export interface Outcome {
  readonly status: FindingStatus;
  readonly changed: number;
  /** Error messages by finding id. */
  readonly failed: ReadonlyMap<string, string>;
  /** Findings that cannot get this status from theirs. */
  readonly unable: number;
}

export interface Decisions {
  /** How many of the findings are done while a change runs, otherwise null. */
  readonly done: number | null;
  readonly outcome: Outcome | null;
  readonly decide: (findings: readonly ProjectedFinding[], status: FindingStatus) => Promise<void>;
}

/** Findings that could not be changed stay selected. */
export function useDecisions(triage: Triage | undefined, selection: Selection): Decisions {
  const [done, setDone] = useState<number | null>(null);
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  return {
    done,
    outcome,
    async decide(findings, status) {
      if (!triage) return;
      setOutcome(null);
      setDone(0);
      const able = findings.filter((finding) => canBecome(finding, status));
      const { moved, failed } = await moveAll(
        triage,
        able.map(({ id }) => id),
        status,
        setDone,
      );
      triage.keep(moved);
      setDone(null);
      setOutcome({ status, changed: moved.length, failed, unable: findings.length - able.length });
      const changed = new Set(moved.map(({ id }) => id));
      selection.set([...selection.ids].filter((id) => !changed.has(id)));
    },
  };
}
