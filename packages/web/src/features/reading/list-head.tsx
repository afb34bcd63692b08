/** The head of the list: a box that selects everything shown, and the columns, each of which sorts. */
import { InlineCheckbox } from '../../ui/inline-checkbox.tsx';
import type { Entry } from './entries.ts';
import { cellLooks } from './list-row.tsx';
import { columns, defaultSorting, type Column, type Sorting } from './sorting.ts';
import type { Selection } from './use-selection.ts';

const labels: Readonly<Record<Column, string>> = {
  severity: 'Severity',
  title: 'Finding',
  status: 'Status',
  location: 'Location',
  verification: 'Verification',
};

export interface ListHeadProps {
  readonly sorting: Sorting;
  readonly shown: readonly Entry[];
  /** Null if selection is not available. */
  readonly selection: Selection | null;
  /** Whether all findings are loaded. Until then the box cannot know what it would select. */
  readonly isWhole: boolean;
  readonly onSort: (sorting: Sorting) => void;
}

export function ListHead({ sorting, shown, selection, isWhole, onSort }: ListHeadProps) {
  return (
    <div
      role="group"
      aria-label="Columns"
      className="z-10 flex h-9 pointer-coarse:h-11 items-center rounded-t border-b border-line bg-sunken text-small text-quiet frame:sticky frame:top-0"
    >
      {selection ? <SelectShown shown={shown} selection={selection} isWhole={isWhole} /> : null}
      <div className="flex h-full min-w-0 grow items-center gap-1 px-2 @[26rem]:gap-3">
        {columns.map((column) => (
          <div key={column} className={cellLooks[column]}>
            <SortButton column={column} sorting={sorting} onSort={onSort} />
          </div>
        ))}
      </div>
    </div>
  );
}

interface SelectShownProps extends Pick<ListHeadProps, 'shown' | 'isWhole'> {
  readonly selection: Selection;
}

function SelectShown({ shown, selection, isWhole }: SelectShownProps) {
  const count = shown.filter(({ finding }) => selection.ids.has(finding.id)).length;
  return (
    <span className="flex h-full w-8 shrink-0">
      <InlineCheckbox
        label={`Select all ${shown.length.toLocaleString('en')} shown`}
        isDisabled={!isWhole}
        state={count === 0 ? 'none' : count === shown.length ? 'all' : 'some'}
        onToggle={() => selection.toggleAll(shown.map(({ finding }) => finding.id))}
      />
    </span>
  );
}

interface SortButtonProps {
  readonly column: Column;
  readonly sorting: Sorting;
  readonly onSort: (sorting: Sorting) => void;
}

/** Sorts by the column, then in reverse, then in the usual order again. */
function SortButton({ column, sorting, onSort }: SortButtonProps) {
  const isSorted = sorting.column === column;
  const { isReversed } = sorting;
  const arrow = !isSorted ? '' : isReversed ? '↑' : '↓';
  const next = !isSorted
    ? { column, isReversed: false }
    : isReversed
      ? defaultSorting
      : { column, isReversed: true };
  return (
    <button
      type="button"
      aria-pressed={isSorted}
      aria-label={`Sort by ${labels[column].toLowerCase()}${isSorted ? (isReversed ? ', reversed' : ', sorted') : ''}`}
      onClick={() => onSort(next)}
      className="inline-flex min-h-6 pointer-coarse:min-h-11 items-center gap-1 rounded hover:text-text aria-pressed:font-strong aria-pressed:text-text"
    >
      {labels[column]}
      <span aria-hidden="true">{arrow}</span>
    </button>
  );
}
