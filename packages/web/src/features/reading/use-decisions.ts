/** Changes the status of findings, and keeps the outcome of the last change, which can be undone for ten seconds. */
import type { FindingStatus } from '@svc/contract';
import { useEffect, useState } from 'react';
import { counted } from '../../lib/format.ts';
import { messageOf } from '../../ui/failure.tsx';
import { canBecome, type Decidable, type NewDecision, type Triage } from './triage.ts';
import type { Selection } from './use-selection.ts';

const UNDOABLE_MS = 10_000;

export interface Outcome {
  readonly status: FindingStatus;
  readonly changed: readonly string[];
  /** Findings whose status cannot change to this one; they stay selected. */
  readonly unable: number;
  /** Null once the change can no longer be undone. */
  readonly undo: (() => Promise<number>) | null;
  /** What undoing did, if it was undone. */
  readonly undone: string | null;
}

export interface Decisions {
  readonly isBusy: boolean;
  readonly outcome: Outcome | null;
  /** @throws the API error. */
  readonly decide: (findings: readonly Decidable[], decision: NewDecision) => Promise<void>;
  readonly undo: () => Promise<void>;
}

export function useDecisions(
  triage: Pick<Triage, 'decide'> | undefined,
  selection: Pick<Selection, 'ids' | 'set'>,
): Decisions {
  const [isBusy, setIsBusy] = useState(false);
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  useEffect(() => {
    if (!outcome) return undefined;
    const timer = setTimeout(() => setOutcome(null), UNDOABLE_MS);
    return () => clearTimeout(timer);
  }, [outcome]);

  async function decide(findings: readonly Decidable[], decision: NewDecision): Promise<void> {
    if (!triage) return;
    const { status } = decision;
    const able = findings.filter((finding) => canBecome(finding, status)).map(({ id }) => id);
    setOutcome(null);
    setIsBusy(true);
    try {
      const { changed, undo: restore } = await triage.decide(able, decision);
      const unable = findings.length - able.length;
      setOutcome({ status, changed, unable, undo: changed.length > 0 ? restore : null, undone: null });
      selection.set([...selection.ids].filter((id) => !changed.includes(id)));
    } finally {
      setIsBusy(false);
    }
  }
  async function undo(): Promise<void> {
    if (!outcome?.undo) return;
    const { undo: restore } = outcome;
    setOutcome({ ...outcome, undo: null });
    try {
      const restored = await restore();
      setOutcome({ ...outcome, undo: null, undone: undoneText(restored, outcome.changed.length) });
    } catch (error) {
      setOutcome({ ...outcome, undo: null, undone: messageOf(error) });
    }
  }
  return { isBusy, outcome, decide, undo };
}

/** Findings that were decided again meanwhile are not restored. */
function undoneText(restored: number, of: number): string {
  if (restored === of) return `${counted(restored, 'finding')} restored.`;
  return `${restored.toLocaleString('en')} of ${counted(of, 'finding')} restored. The others keep their new status.`;
}
