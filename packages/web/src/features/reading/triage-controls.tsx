/** Controls to change the status of one or of all selected findings. */
import type { FindingStatus, ProjectedFinding } from '@svc/contract';
import { enumLabels } from '@svc/report/reading/labels';
import { CARRIED_TAG } from '@svc/contract/status-moves';
import { useState, type SubmitEvent } from 'react';
import { counted } from '../../lib/format.ts';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { CarriedStatus } from './carried-status.tsx';
import { moveAll, movesOfAll, type Triage } from './triage.ts';

interface TriageResult {
  readonly moved: number;
  readonly failed: ReadonlyMap<string, string>;
}

/** @param onDone receives the ids of the findings that could not be changed. */
function useMoves(triage: Triage, onDone?: (failed: readonly string[]) => void) {
  const [done, setDone] = useState<number | null>(null);
  const [outcome, setOutcome] = useState<TriageResult | null>(null);
  async function move(ids: readonly string[], to: FindingStatus): Promise<void> {
    setOutcome(null);
    setDone(0);
    const { moved, failed } = await moveAll(triage, ids, to, setDone);
    triage.keep(moved);
    setDone(null);
    setOutcome({ moved: moved.length, failed });
    onDone?.([...failed.keys()]);
  }
  return { isBusy: done !== null, done, outcome, move };
}

interface StatusFormProps {
  readonly label: string;
  readonly moves: readonly FindingStatus[];
  readonly isBusy: boolean;
  readonly onMove: (to: FindingStatus) => void;
}

function StatusForm({ label, moves, isBusy, onMove }: StatusFormProps) {
  function send(event: SubmitEvent<HTMLFormElement>): void {
    event.preventDefault();
    const to = new FormData(event.currentTarget).get('status');
    const chosen = moves.find((each) => each === to);
    if (chosen && !isBusy) onMove(chosen);
  }
  return (
    <form onSubmit={send} className="flex items-center gap-2">
      <select name="status" aria-label={label} className="min-h-8 rounded border border-edge bg-field px-2">
        {moves.map((to) => (
          <option key={to} value={to}>
            {enumLabels[to]}
          </option>
        ))}
      </select>
      <Button type="submit" busy={isBusy}>
        Change status
      </Button>
    </form>
  );
}

export interface FindingStatusProps {
  readonly finding: ProjectedFinding;
  readonly triage: Triage;
}

export function FindingStatus({ finding, triage }: FindingStatusProps) {
  const { isBusy, outcome, move } = useMoves(triage);
  const why = outcome?.failed.get(finding.id);
  return (
    <div className="flex flex-col gap-2 print:hidden">
      {finding.tags?.includes(CARRIED_TAG) === true ? <CarriedStatus {...triage.report} /> : null}
      <StatusForm
        key={finding.status}
        label={`New status of ${finding.id}`}
        moves={movesOfAll([finding])}
        isBusy={isBusy}
        onMove={(to) => void move([finding.id], to)}
      />
      <p role="status" className="sr-only">
        {outcome && why === undefined
          ? `${finding.id} is now ${enumLabels[finding.status ?? 'open'].toLowerCase()}.`
          : ''}
      </p>
      {why === undefined ? null : (
        <Notice tone="danger">
          <p>{why}</p>
        </Notice>
      )}
    </div>
  );
}

export interface SelectionBarProps {
  readonly selected: readonly ProjectedFinding[];
  /** The number of findings that match the filters. */
  readonly matching: number;
  readonly triage: Triage;
  readonly onSelectAll: () => void;
  readonly onSelect: (ids: readonly string[]) => void;
}

/** Findings that could not be changed stay selected, with the reason. */
export function SelectionBar({ selected, matching, triage, onSelectAll, onSelect }: SelectionBarProps) {
  const { isBusy, done, outcome, move } = useMoves(triage, onSelect);
  const { length: count } = selected;
  return (
    <div className="flex flex-col gap-2 print:hidden">
      {count === 0 ? null : (
        <div
          role="group"
          aria-label="Selected findings"
          className="sticky top-0 z-10 flex flex-wrap items-center gap-x-3 gap-y-2 bg-chosen px-3 py-2"
        >
          <span className="font-strong">
            {done === null
              ? `${counted(count, 'finding')} selected`
              : `${done.toLocaleString('en')} of ${count.toLocaleString('en')} …`}
          </span>
          <StatusForm
            label="New status of selected findings"
            moves={movesOfAll(selected)}
            isBusy={isBusy}
            onMove={(to) =>
              void move(
                selected.map(({ id }) => id),
                to,
              )
            }
          />
          {count < matching ? (
            <Button look="quiet" onClick={onSelectAll} disabled={isBusy}>
              Select all {matching.toLocaleString('en')} matching
            </Button>
          ) : null}
          <Button look="quiet" onClick={() => onSelect([])} disabled={isBusy}>
            Clear selection
          </Button>
        </div>
      )}
      <div role="status">{outcome ? <TriageSummary outcome={outcome} /> : null}</div>
    </div>
  );
}

const REASONS_SHOWN_MAX = 20;

function TriageSummary({ outcome: { moved, failed } }: { readonly outcome: TriageResult }) {
  const reasons = [...failed].slice(0, REASONS_SHOWN_MAX);
  return (
    <div className="px-3 py-1 text-quiet">
      {moved > 0 ? <p>{counted(moved, 'finding')} changed.</p> : null}
      {failed.size > 0 ? (
        <>
          <p className="text-danger-text">
            {counted(failed.size, 'finding')} could not be changed and {failed.size === 1 ? 'stays' : 'stay'}{' '}
            selected.
          </p>
          <ul>
            {reasons.map(([id, why]) => (
              <li key={id}>
                <code>{id}</code> {why}
              </li>
            ))}
          </ul>
        </>
      ) : null}
    </div>
  );
}
