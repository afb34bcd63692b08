/** The findings of a report: filters, list, and the selected finding. */
import { useEffect, useMemo, useRef, useState, type RefObject } from 'react';
import { useShortcuts } from '../../ui/shortcuts.tsx';
import { searchWith } from './address.ts';
import { FilterBar } from './filter-bar.tsx';
import { isFiltered, noFilters, type Grouping } from './filters.ts';
import { FindingList, ROW_HEIGHT } from './finding-list.tsx';
import { FindingPanel } from './finding-panel.tsx';
import { PrintedFindings } from './printed-findings.tsx';
import { rowsOf, type Row } from './rows.ts';
import { SelectionBar } from './triage-controls.tsx';
import type { Triage } from './triage.ts';
import { closeFinding, isPlaceKept, type AddressState } from './use-address.ts';
import { useSelection, type Selection } from './use-selection.ts';
import type { Reading } from './use-view.ts';

/** Longer lists are windowed. */
const ELEMENTS_MAX = 1000;

export interface FindingsProps {
  readonly state: AddressState;
  readonly reading: Reading;
  readonly isWhole: boolean;
  readonly triage: Triage | undefined;
  readonly hasExports: boolean;
}

export function Findings({ state, reading, isWhole, triage, hasExports }: FindingsProps) {
  const { address, replace, push } = state;
  const { filters, grouping, chosen } = address;
  const { view, isWaiting } = reading;
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const rows = useMemo(() => rowsOf(view.shown, grouping, open), [view.shown, grouping, open]);
  const list = useRef<HTMLDivElement>(null);
  const selection = useSelection(view.shown);
  const addressBefore = useMemo(() => addressBeforeId(filters, grouping), [filters, grouping]);
  const finding = reading.entries.find((entry) => entry.finding.id === chosen)?.finding;
  const close = () => closeFinding(state);
  useListKeys({ state, rows, list, selection, canSelect: triage !== undefined });
  useFocusOn(chosen, list);
  useShownAtFirst(chosen);
  return (
    <section aria-labelledby="findings" className="flex flex-col gap-3">
      <div className={`flex flex-col gap-3 ${chosen === null ? '' : 'max-lg:hidden'}`}>
        <h2 id="findings" className="border-t border-line pt-4 text-lead font-strong">
          Findings
        </h2>
        <FilterBar
          filters={filters}
          grouping={grouping}
          view={view}
          isWhole={isWhole}
          onFilter={(next) => replace({ filters: next })}
          onGroup={(next) => {
            setOpen(new Set());
            replace({ grouping: next });
          }}
        />
        <p role="status" className="text-quiet nums print:hidden">
          {isWaiting
            ? 'Loading all findings…'
            : shownOf(isWhole ? view.shown.length : view.total, view.total)}
        </p>
        {triage ? (
          <SelectionBar
            selected={reading.entries
              .filter((entry) => selection.ids.has(entry.finding.id))
              .map((entry) => entry.finding)}
            matching={view.shown.length}
            triage={triage}
            onSelectAll={() => selection.set(view.shown.map((entry) => entry.finding.id))}
            onSelect={selection.set}
          />
        ) : null}
      </div>
      <div
        className={
          chosen === null ? '' : 'lg:grid lg:grid-cols-[minmax(0,2fr)_minmax(0,3fr)] lg:items-start lg:gap-6'
        }
      >
        <div className={`@container min-w-0 ${chosen === null ? '' : 'max-lg:hidden'}`}>
          <FindingList
            rows={rows}
            expected={isWhole || isWaiting || grouping !== 'none' ? 0 : view.total}
            isWindowed={view.total > ELEMENTS_MAX}
            chosen={chosen}
            selected={triage ? selection.ids : null}
            addressBefore={addressBefore}
            list={list}
            onChoose={(id) => push({ chosen: id })}
            onSelect={selection.toggle}
            onFold={(key) => setOpen(folded(open, key))}
          />
          {rows.length === 0 && !isWaiting && isFiltered(filters) ? (
            <p className="py-6">
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
        {chosen === null ? null : (
          <FindingPanel
            key={chosen}
            id={chosen}
            finding={finding}
            isWaiting={!isWhole}
            triage={triage}
            onClose={close}
          />
        )}
      </div>
      <PrintedFindings shown={view.shown} total={view.total} hasExports={hasExports} />
    </section>
  );
}

function shownOf(shown: number, total: number): string {
  return `${shown.toLocaleString('en')} of ${total.toLocaleString('en')}`;
}

function addressBeforeId(filters: AddressState['address']['filters'], grouping: Grouping): string {
  const search = searchWith('', { filters, grouping, chosen: null });
  return `${search === '' ? '?' : `${search}&`}finding=`;
}

function folded(open: ReadonlySet<string>, key: string): ReadonlySet<string> {
  const next = new Set(open);
  if (!next.delete(key)) next.add(key);
  return next;
}

interface ListKeys {
  readonly state: AddressState;
  readonly rows: readonly Row[];
  readonly list: RefObject<HTMLElement | null>;
  readonly selection: Selection;
  readonly canSelect: boolean;
}

/** Opening the first finding adds a history entry; moving to the next one replaces it. */
function useListKeys({ state, rows, list, selection, canSelect }: ListKeys): void {
  const { chosen } = state.address;
  function go(by: 1 | -1): void {
    const ids = rows.flatMap((row) => (row.kind === 'finding' ? [row.key] : []));
    const next = chosen === null ? ids[0] : ids[ids.indexOf(chosen) + by];
    if (next === undefined) return;
    if (chosen === null) state.push({ chosen: next });
    else state.replace({ chosen: next });
    showRow(
      list.current,
      rows.findIndex((row) => row.kind === 'finding' && row.key === next),
    );
  }
  /** Selects the focused finding, or else the open one. */
  function select(isRange: boolean): void {
    const focused = document.activeElement?.closest('li')?.querySelector<HTMLElement>('[data-id]')?.dataset[
      'id'
    ];
    const id = focused ?? chosen;
    if (id !== null) selection.toggle(id, isRange);
  }
  useShortcuts([
    { key: 'j', label: 'Next finding', run: () => go(1) },
    { key: 'k', label: 'Previous finding', run: () => go(-1) },
    ...(canSelect
      ? [
          { key: 'x', label: 'Select finding', run: () => select(false) },
          { key: 'X', label: 'Select a range of findings', run: () => select(true) },
        ]
      : []),
  ]);
}

function showRow(list: HTMLElement | null, at: number): void {
  // On narrow screens the finding replaces the list, so there is nothing to scroll.
  if (list === null || at === -1 || list.offsetParent === null) return;
  const top = list.getBoundingClientRect().top + at * ROW_HEIGHT;
  if (top < 0) scrollBy(0, top - ROW_HEIGHT);
  else if (top + 2 * ROW_HEIGHT > innerHeight) scrollBy(0, top + 2 * ROW_HEIGHT - innerHeight);
}

/** Scrolls to the finding if the page was opened at one. */
function useShownAtFirst(chosen: string | null): void {
  const atFirst = useRef(chosen);
  useEffect(() => {
    if (atFirst.current === null || isPlaceKept()) return;
    const heading = document.getElementById('findings');
    // On narrow screens the finding replaces the list and is at the top.
    if (heading?.offsetParent === null) scrollTo(0, 0);
    else heading?.scrollIntoView();
  }, []);
}

/** Moves the focus to a finding that replaces the list, and back to its row on close. */
function useFocusOn(chosen: string | null, ref: RefObject<HTMLElement | null>): void {
  const before = useRef(chosen);
  useEffect(() => {
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
