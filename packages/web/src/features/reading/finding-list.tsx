/**
 * The list of findings, one row each. Up to a thousand findings are real elements, so that find-in-page, printing and
 * screen readers work. They are in blocks, each laid out when it comes into view. Longer lists are windowed.
 */
import { useEffect, useLayoutEffect, useRef, useState, type MouseEvent, type RefObject } from 'react';
import { ListRow, type SelectedState } from './list-row.tsx';
import { isFramed, rowHeightIn, seenBounds } from './list-scroller.ts';
import type { Row } from './rows.ts';
import type { ReportSelection } from './use-report-selection.ts';

const BLOCK_ROWS = 100;
/** The height of a row in pixels, at least: rows have one line beside an article, and on a phone two. */
const ROW_PX_MIN = isFramed() ? 36 : 52;
/** The rows of the first paint, which fill the window. The others follow it, a block at a time. */
const FIRST_ROWS = Math.ceil(innerHeight / ROW_PX_MIN);
/** Extra rows above and below the visible ones, for smooth scrolling. */
const SPARE_ROWS = 8;
const STEP_ROWS = 6;

export interface FindingListProps {
  readonly rows: readonly Row[];
  /** The final number of rows, while only the first findings are loaded. */
  readonly expected: number;
  readonly isWindowed: boolean;
  readonly chosen: string | null;
  /** Null if selection is not available. */
  readonly selection: ReportSelection | null;
  /** The URL of a finding without its id. */
  readonly addressBefore: string;
  readonly list: RefObject<HTMLDivElement | null>;
  readonly onChoose: (id: string) => void;
  readonly onFold: (key: string) => void;
}

export function FindingList(props: FindingListProps) {
  const { rows, expected, isWindowed, list, selection, onChoose, onFold } = props;
  /** One listener for all rows, so that a row re-renders only if its content changes. */
  function click(event: MouseEvent): void {
    if (!(event.target instanceof Element)) return;
    const { id, fold, select, selectGroup } =
      event.target.closest<HTMLElement>('[data-id], [data-fold], [data-select], [data-select-group]')
        ?.dataset ?? {};
    if (selectGroup !== undefined) {
      const group = rows.find(({ key }) => key === selectGroup);
      if (group?.kind !== 'group') return;
      if (group.ids === null) selection?.toggleGroup(group.key);
      else selection?.toggleAll(group.ids);
    } else if (select !== undefined) selection?.toggle(select, event.shiftKey);
    else if (fold !== undefined) onFold(fold);
    else if (id !== undefined && !event.ctrlKey && !event.metaKey && !event.shiftKey) {
      event.preventDefault();
      onChoose(id);
    }
  }
  return (
    <div
      ref={list}
      role="presentation"
      onClick={click}
      className="relative"
      style={{ minHeight: heightOf(Math.max(rows.length, expected)) }}
    >
      {isWindowed ? <Windowed {...props} /> : <Blocks {...props} />}
    </div>
  );
}

const heightOf = (rows: number) => `calc(${rows} * var(--row))`;

function Blocks({ rows: all, ...rest }: FindingListProps) {
  const rows = all.slice(0, useRendered(all.length, rest.chosen));
  const starts = Array.from({ length: Math.ceil(rows.length / BLOCK_ROWS) }, (_, at) => at * BLOCK_ROWS);
  return starts.map((start) => {
    const block = rows.slice(start, start + BLOCK_ROWS);
    return (
      <ol
        key={start}
        aria-label={starts.length === 1 ? 'Findings' : `Findings from line ${start + 1}`}
        className="[content-visibility:auto]"
        style={{ containIntrinsicSize: `auto ${heightOf(block.length)}` }}
      >
        <Lines rows={block} {...rest} />
      </ol>
    );
  });
}

function Windowed({ rows, ...rest }: FindingListProps) {
  const { from, size } = useSeenRows(rest.list);
  const start = Math.max(0, Math.min(from, rows.length - size));
  return (
    // The rows change while scrolling, so the browser must not anchor to one of them.
    <ol
      aria-label="Findings"
      className="[overflow-anchor:none]"
      style={{ transform: `translateY(${heightOf(start)})` }}
    >
      <Lines rows={rows.slice(start, start + size)} first={start + 1} count={rows.length} {...rest} />
    </ol>
  );
}

/**
 * The number of rows to render: those of the first paint, and a block more after each paint, so that a slow phone stays
 * responsive. Beside a chosen finding, the first paint has all rows, to scroll to its row. On a phone the finding
 * replaces the list, so the first paint has none.
 */
function useRendered(count: number, chosen: string | null): number {
  const [rendered, setRendered] = useState(() => {
    if (chosen === null) return FIRST_ROWS;
    return isFramed() ? Number.POSITIVE_INFINITY : 0;
  });
  useEffect(() => {
    if (rendered >= count) return undefined;
    const timer = setTimeout(() => setRendered(rendered + BLOCK_ROWS));
    return () => clearTimeout(timer);
  }, [rendered, count]);
  return rendered;
}

interface LinesProps extends Omit<FindingListProps, 'rows' | 'expected' | 'isWindowed'> {
  readonly rows: readonly Row[];
  /** The position of the first row, if the list is windowed. */
  readonly first?: number;
  readonly count?: number;
}

function Lines({ rows, first, count, chosen, selection, addressBefore }: LinesProps) {
  return rows.map((row, at) => (
    <ListRow
      key={`${row.kind} ${row.key}`}
      row={row}
      position={first === undefined ? undefined : first + at}
      count={count}
      isChosen={row.kind === 'finding' && row.key === chosen}
      selected={selection && selectedState(row, selection)}
      addressBefore={addressBefore}
    />
  ));
}

function selectedState(row: Row, { ids, groups }: ReportSelection): SelectedState {
  if (row.kind === 'finding') return ids.has(row.key) ? 'all' : 'none';
  if (row.ids === null) return groups.has(row.key) ? 'all' : 'none';
  const count = row.ids.reduce((sum, id) => sum + (ids.has(id) ? 1 : 0), 0);
  return count === 0 ? 'none' : count === row.ids.length ? 'all' : 'some';
}

/** Updates only every few rows, not with every pixel. */
function useSeenRows(list: RefObject<HTMLElement | null>): { readonly from: number; readonly size: number } {
  const [seen, setSeen] = useState({ from: 0, size: FIRST_ROWS });
  const update = useRef(() => {
    if (!list.current) return;
    const rowHeight = rowHeightIn(list.current);
    const hiddenPx = seenBounds(list.current).top - list.current.getBoundingClientRect().top;
    const first = Math.max(0, Math.floor(hiddenPx / rowHeight) - SPARE_ROWS);
    const from = first - (first % STEP_ROWS);
    const size = Math.ceil(innerHeight / rowHeight) + 2 * SPARE_ROWS + STEP_ROWS;
    setSeen((before) => (before.from === from && before.size === size ? before : { from, size }));
  });
  const isPainted = useRef(false);
  // The position is measured only after the first paint, when that is cheap. Until then the first rows are rendered.
  useLayoutEffect(() => {
    if (isPainted.current) update.current();
  });
  useEffect(() => {
    const { current: follow } = update;
    isPainted.current = true;
    follow();
    addEventListener('scroll', follow, { passive: true, capture: true });
    addEventListener('resize', follow);
    return () => {
      removeEventListener('scroll', follow, { capture: true });
      removeEventListener('resize', follow);
    };
  }, []);
  return seen;
}
