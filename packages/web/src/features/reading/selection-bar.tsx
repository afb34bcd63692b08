/** The bar at the bottom of the list: how many findings are selected, what to do with them, and what was done. */
import type { ProjectedFinding } from '@svc/contract';
import { enumLabels } from '@svc/report/reading/labels';
import { useState } from 'react';
import { counted } from '../../lib/format.ts';
import { Button } from '../../ui/button.tsx';
import { SetStatusDialog } from './set-status-dialog.tsx';
import type { Decisions, Outcome } from './use-decisions.ts';

export interface SelectionBarProps {
  readonly selected: readonly ProjectedFinding[];
  /** The number of findings that match the filters. */
  readonly matching: number;
  readonly decisions: Decisions;
  readonly onSelectAll: () => void;
  readonly onClear: () => void;
}

/** Findings that could not be changed stay selected, with the reason. */
export function SelectionBar({ selected, matching, decisions, onSelectAll, onClear }: SelectionBarProps) {
  const { done, outcome, decide } = decisions;
  const [isOpen, setIsOpen] = useState(false);
  const { length: count } = selected;
  const isBusy = done !== null;
  return (
    <div className="sticky bottom-0 z-10 rounded-b bg-surface print:hidden">
      <div role="status">{outcome ? <Done outcome={outcome} /> : null}</div>
      {count === 0 ? null : (
        <div
          role="group"
          aria-label="Selected findings"
          className="flex flex-wrap items-center gap-x-2 gap-y-2 border-t border-line bg-chosen px-3 py-2"
        >
          <span className="mr-2 font-strong nums">
            {done === null
              ? `${counted(count, 'finding')} selected`
              : `${done.toLocaleString('en')} of ${count.toLocaleString('en')}…`}
          </span>
          <Button look="primary" busy={isBusy} onClick={() => setIsOpen(true)}>
            Set status…
          </Button>
          {count < matching ? (
            <Button look="quiet" onClick={onSelectAll} disabled={isBusy}>
              Select all {matching.toLocaleString('en')} matching
            </Button>
          ) : null}
          <Button look="quiet" onClick={onClear} disabled={isBusy}>
            Clear selection
          </Button>
        </div>
      )}
      <SetStatusDialog
        isOpen={isOpen}
        findings={selected}
        first={null}
        onClose={() => setIsOpen(false)}
        onDecide={async (status) => decide(selected, status)}
      />
    </div>
  );
}

const REASONS_SHOWN_MAX = 20;

function Done({ outcome: { status, changed, failed, unable } }: { readonly outcome: Outcome }) {
  const reasons = [...failed].slice(0, REASONS_SHOWN_MAX);
  return (
    <div className="max-h-40 overflow-y-auto border-t border-line px-3 py-2">
      {changed > 0 ? (
        <p>
          {counted(changed, 'finding')} set to {enumLabels[status].toLowerCase()}.
        </p>
      ) : null}
      {unable > 0 ? (
        <p>
          {counted(unable, 'finding')} can’t change to {enumLabels[status].toLowerCase()} and{' '}
          {unable === 1 ? 'stays' : 'stay'} selected.
        </p>
      ) : null}
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
