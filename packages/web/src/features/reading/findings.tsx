/** The findings of a report: filters, list, and the selected finding. */
import type { FindingTotals } from '@svc/contract';
import { useEffect, useLayoutEffect, useMemo, useRef, type RefObject } from 'react';
import { useShortcuts } from '../../ui/shortcuts.tsx';
import { searchWith, type Address } from './address.ts';
import { EarlySelection } from './early-selection.tsx';
import { FilterBar } from './filter-bar.tsx';
import { isFiltered, noFilters } from './filters.ts';
import { FindingList } from './finding-list.tsx';
import { FindingPanel } from './finding-panel.tsx';
import { groupingOf } from './grouping.ts';
import { ListHead } from './list-head.tsx';
import { showRow } from './list-scroller.ts';
import { PrintedFindings } from './printed-findings.tsx';
import { groupsOf, rowsOf, ruleRowsOf, type Row } from './rows.ts';
import { SelectionBar } from './selection-bar.tsx';
import { sorted } from './sorting.ts';
import type { Triage } from './triage.ts';
import { closeFinding, isPlaceKept, type AddressState } from './use-address.ts';
import { useDecisions } from './use-decisions.ts';
import { useFolding } from './use-folding.ts';
import { rowAt, useSteps, type Steps } from './use-steps.ts';
import { useReportSelection } from './use-report-selection.ts';
import type { Selection } from './use-selection.ts';
import type { Reading } from './use-view.ts';

/** Longer lists are windowed. */
const ELEMENTS_MAX = 1000;

export interface FindingsProps {
  readonly state: AddressState;
  readonly reading: Reading;
  readonly isWhole: boolean;
  /** The totals, until the whole report is loaded. */
  readonly totals: FindingTotals | null;
  readonly triage: Triage | undefined;
  /** The viewer may select findings. */
  readonly isToSelect: boolean;
  readonly hasExports: boolean;
}

export function Findings({ state, reading, isWhole, totals, triage, isToSelect, hasExports }: FindingsProps) {
  const { address, replace, push } = state;
  const { filters, sorting, chosen } = address;
  const { view, isWaiting } = reading;
  const grouping = groupingOf(address.grouping, view);
  const shown = useMemo(() => sorted(view.shown, sorting), [view.shown, sorting]);
  /** The groups by rule are known before their findings. */
  const early = grouping === 'rule' && !isWaiting ? totals : null;
  const groups = useMemo(() => (early === null ? groupsOf(shown, grouping) : []), [shown, grouping, early]);
  const folding = useFolding(groups, grouping, chosen);
  const { open } = folding;
  const earlyChosen = early === null ? null : chosen;
  const rows = useMemo(
    () => (early === null ? rowsOf(groups, open) : ruleRowsOf(early.rules, shown, earlyChosen)),
    [early, groups, open, shown, earlyChosen],
  );
  const list = useRef<HTMLDivElement>(null);
  const selection = useReportSelection(
    () => shown.map(({ finding }) => finding.id),
    reading.entries,
    isWhole,
  );
  const decisions = useDecisions(triage, selection);
  const addressBefore = addressBeforeId(address);
  const finding = reading.entries.find((entry) => entry.finding.id === chosen)?.finding;
  const steps = useSteps({ state, groups, rows, list, total: totals?.findings ?? null });
  useListKeys({ steps, selection, chosen, canSelect: isToSelect });
  useFocusOn(chosen, list);
  useShownAtFirst(chosen, rows, list);
  const hidden = chosen === null ? '' : 'stacked:hidden';
  return (
    <section aria-labelledby="findings" className="flex flex-col gap-2 frame:min-h-72 frame:flex-1">
      <h2 id="findings" className="sr-only">
        Findings
      </h2>
      <div className={hidden}>
        <FilterBar
          filters={filters}
          grouping={grouping}
          view={view}
          isWhole={isWhole}
          isWaiting={isWaiting}
          onFilter={(next) => replace({ filters: next })}
          onGroup={(next) => {
            folding.foldAll();
            replace({ grouping: next });
          }}
        />
      </div>
      <div
        className={`frame:min-h-0 frame:flex-1 ${chosen === null ? 'frame:flex frame:flex-col' : 'frame:grid frame:grid-cols-[minmax(0,2fr)_minmax(0,3fr)] frame:grid-rows-[minmax(0,1fr)] frame:gap-4'}`}
      >
        <div
          className={`card @container flex min-w-0 flex-col print:hidden frame:min-h-0 frame:flex-1 ${hidden}`}
        >
          <div
            data-list-scroller=""
            tabIndex={-1}
            className="grow rounded outline-none frame:min-h-0 frame:overflow-y-auto"
          >
            <ListHead
              sorting={sorting}
              shown={shown}
              selection={isToSelect ? selection : null}
              isWhole={isWhole}
              onSort={(next) => replace({ sorting: next })}
            />
            <FindingList
              rows={rows}
              expected={isWhole || isWaiting || grouping !== 'none' ? 0 : view.total}
              isWindowed={view.total > ELEMENTS_MAX}
              chosen={chosen}
              selection={isToSelect ? selection : null}
              addressBefore={addressBefore}
              list={list}
              onChoose={(id) => push({ chosen: id })}
              onFold={folding.toggle}
            />
            {rows.length === 0 && !isWaiting && isFiltered(filters) ? (
              <p className="px-4 py-6">
                No findings match these filters.{' '}
                <button
                  type="button"
                  onClick={() => replace({ filters: noFilters })}
                  className="text-accent-text underline"
                >
                  Clear filters
                </button>
              </p>
            ) : null}
          </div>
          {triage ? (
            <SelectionBar
              selected={reading.entries
                .filter((entry) => selection.ids.has(entry.finding.id))
                .map((entry) => entry.finding)}
              matching={shown.length}
              decisions={decisions}
              onSelectAll={() => selection.set(shown.map((entry) => entry.finding.id))}
              onClear={() => selection.set([])}
            />
          ) : isToSelect ? (
            <EarlySelection selection={selection} entries={reading.entries} rules={totals?.rules ?? []} />
          ) : null}
        </div>
        {chosen === null ? null : (
          <FindingPanel
            key={chosen}
            id={chosen}
            finding={finding}
            isWaiting={!isWhole}
            triage={triage}
            decisions={decisions}
            steps={steps}
            onClose={() => closeFinding(state)}
          />
        )}
      </div>
      <PrintedFindings shown={shown} total={view.total} hasExports={hasExports} />
    </section>
  );
}

function addressBeforeId(address: Address): string {
  const search = searchWith('', { ...address, chosen: null });
  return `${search === '' ? '?' : `${search}&`}finding=`;
}

interface ListKeys {
  readonly steps: Steps;
  readonly selection: Selection;
  readonly chosen: string | null;
  readonly canSelect: boolean;
}

function useListKeys({ steps, selection, chosen, canSelect }: ListKeys): void {
  /** Selects the focused finding, or else the open one. */
  function select(isRange: boolean): void {
    const row = document.activeElement?.closest('li')?.querySelector<HTMLElement>('[data-id]');
    const id = row?.dataset['id'] ?? chosen;
    if (id !== null) selection.toggle(id, isRange);
  }
  useShortcuts([
    { key: 'j', label: 'Next finding', run: () => steps.go(1) },
    { key: 'k', label: 'Previous finding', run: () => steps.go(-1) },
    ...(canSelect
      ? [
          { key: 'x', label: 'Select finding', run: () => select(false) },
          { key: 'X', label: 'Select a range of findings', run: () => select(true) },
        ]
      : []),
  ]);
}

/** Scrolls to the finding if the page was opened at one, as soon as it has a row. */
function useShownAtFirst(
  chosen: string | null,
  rows: readonly Row[],
  list: RefObject<HTMLElement | null>,
): void {
  const isPending = useRef(chosen !== null);
  // In small windows the finding replaces the list and is at the top.
  useEffect(() => {
    if (isPending.current && !isPlaceKept() && list.current?.offsetParent === null) scrollTo(0, 0);
  }, [list]);
  useLayoutEffect(() => {
    if (!isPending.current) return;
    const at = chosen === null ? -1 : rowAt(rows, chosen);
    if (chosen !== null && at === -1) return;
    isPending.current = false;
    showRow(list.current, at, 'middle');
  }, [chosen, rows, list]);
}

/** Moves the focus to a finding that replaces the list, and back to its row on close. */
function useFocusOn(chosen: string | null, ref: RefObject<HTMLElement | null>): void {
  const before = useRef(chosen);
  // A layout effect, so that it does not take the focus from an element the user moves to next.
  useLayoutEffect(() => {
    const left = before.current;
    before.current = chosen;
    if (chosen === left) return;
    const list = ref.current;
    if (chosen === null) {
      list
        ?.querySelector<HTMLElement>(`a[data-id="${CSS.escape(left ?? '')}"]`)
        ?.focus({ preventScroll: true });
    } else if (list?.offsetParent === null) {
      scrollTo(0, 0);
      document.getElementById(`finding-${chosen}`)?.focus();
    }
  }, [chosen, ref]);
}
