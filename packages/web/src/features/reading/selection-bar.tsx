/** The bar at the bottom of the list: how many findings are selected, what to do with them, and what was done. */
import { enumLabels } from '@svc/report/reading/labels';
import { useState, type ReactNode } from 'react';
import { counted } from '../../lib/format.ts';
import { Button } from '../../ui/button.tsx';
import { useShortcuts } from '../../ui/shortcuts.tsx';
import { SetStatusDialog } from './set-status-dialog.tsx';
import type { Decidable } from './triage.ts';
import type { Decisions } from './use-decisions.ts';

export interface SelectionBarProps {
  readonly selected: readonly Decidable[];
  /** The number of findings that match the filters. */
  readonly matching: number;
  readonly decisions: Decisions;
  readonly onSelectAll: () => void;
  readonly onClear: () => void;
  /** The highest number of findings that `onSelectAll` selects; by default, all that match. */
  readonly selectable?: number;
  /** The progress of a change, which the dialog shows. */
  readonly progress?: string;
  /** Shown above the bar. */
  readonly children?: ReactNode;
}

export function SelectionBar(props: SelectionBarProps) {
  const { selected, matching, decisions, onSelectAll, onClear, selectable = matching } = props;
  const { isBusy, decide } = decisions;
  const [isOpen, setIsOpen] = useState(false);
  const { length: count } = selected;
  useShortcuts([
    {
      key: 's',
      label: 'Set status of the selected findings',
      run: () => {
        if (count > 0 && !isBusy) setIsOpen(true);
      },
    },
  ]);
  return (
    <div className="sticky bottom-0 z-10 rounded-b bg-surface print:hidden">
      {props.children}
      <Done decisions={decisions} />
      {count === 0 ? null : (
        <div
          role="group"
          aria-label="Selected findings"
          className="flex flex-wrap items-center gap-x-2 gap-y-2 border-t border-line bg-chosen px-3 py-2"
        >
          <span className="mr-2 font-strong nums">{counted(count, 'finding')} selected</span>
          <Button look="primary" busy={isBusy} onClick={() => setIsOpen(true)}>
            Set status…
          </Button>
          {count < Math.min(matching, selectable) ? (
            <Button look="quiet" isCompact onClick={onSelectAll} disabled={isBusy}>
              {matching > selectable
                ? `Select the first ${selectable.toLocaleString('en')} of ${matching.toLocaleString('en')}`
                : `Select all ${matching.toLocaleString('en')} matching`}
            </Button>
          ) : null}
          <Button look="quiet" isCompact onClick={onClear} disabled={isBusy}>
            Clear selection
          </Button>
        </div>
      )}
      <SetStatusDialog
        isOpen={isOpen}
        findings={selected}
        first={null}
        {...(props.progress !== undefined && { progress: props.progress })}
        onClose={() => setIsOpen(false)}
        onDecide={async (decision) => decide(selected, decision)}
      />
    </div>
  );
}

/** What the last change did, with its undo. */
function Done({ decisions: { outcome, undo } }: Pick<SelectionBarProps, 'decisions'>) {
  return (
    <div role="status">
      {outcome ? (
        <div className="flex flex-wrap items-center gap-x-4 border-t border-line px-3 py-1.5">
          <p>
            {outcome.undone ??
              `${counted(outcome.changed.length, 'finding')} set to ${enumLabels[outcome.status].toLowerCase()}.`}
          </p>
          {outcome.unable > 0 ? (
            <p className="text-quiet">
              {counted(outcome.unable, 'finding')} can’t get this status and{' '}
              {outcome.unable === 1 ? 'stays' : 'stay'} selected.
            </p>
          ) : null}
          {outcome.undo ? (
            <Button look="quiet" onClick={() => void undo()}>
              Undo
            </Button>
          ) : null}
        </div>
      ) : null}
    </div>
  );
}
