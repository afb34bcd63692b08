/**
 * The findings, one line each. Reports of up to a thousand are real elements in blocks that are laid out as they come into
 * view, so that the browser's own search, printing and screen readers work; of larger ones a window of lines is there.
 */
import { useEffect, useLayoutEffect, useRef, useState, type MouseEvent, type RefObject } from 'react';
import { ListRow } from './list-row.tsx';
import type { Row } from './rows.ts';

/** In pixels, of every line. */
export const ROW_HEIGHT = 36;
const BLOCK_ROWS = 100;
/** Lines above and below what is seen, for scrolling to find them there. */
const SPARE_ROWS = 8;
const STEP_ROWS = 6;

export interface FindingListProps {
  readonly rows: readonly Row[];
  /** How many there will be, while only the first have come. */
  readonly expected: number;
  readonly isWindowed: boolean;
  readonly chosen: string | null;
  /** Null where nothing can be selected. */
  readonly selected: ReadonlySet<string> | null;
  /** The address of a finding, up to its id. */
  readonly addressBefore: string;
  readonly list: RefObject<HTMLDivElement | null>;
  readonly onChoose: (id: string) => void;
  readonly onSelect: (id: string, isRange: boolean) => void;
  readonly onFold: (key: string) => void;
}

export function FindingList(props: FindingListProps) {
  const { rows, expected, isWindowed, list, onChoose, onSelect, onFold } = props;
  /** One listener for all lines, so that a line changes only when what it shows does. */
  function click(event: MouseEvent): void {
    if (!(event.target instanceof Element)) return;
    const { id, fold, select } =
      event.target.closest<HTMLElement>('[data-id], [data-fold], [data-select]')?.dataset ?? {};
    if (select !== undefined) onSelect(select, event.shiftKey);
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
      className="relative print:hidden"
      style={{ minHeight: Math.max(rows.length, expected) * ROW_HEIGHT }}
    >
      {isWindowed ? <Windowed {...props} /> : <Blocks {...props} />}
    </div>
  );
}

function Blocks({ rows, ...rest }: FindingListProps) {
  const starts = Array.from({ length: Math.ceil(rows.length / BLOCK_ROWS) }, (_, at) => at * BLOCK_ROWS);
  return starts.map((start) => {
    const block = rows.slice(start, start + BLOCK_ROWS);
    return (
      <ol
        key={start}
        aria-label={starts.length === 1 ? 'Findings' : `Findings from line ${start + 1}`}
        className="[content-visibility:auto]"
        style={{ containIntrinsicSize: `auto ${block.length * ROW_HEIGHT}px` }}
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
    // Its lines are other ones at every turn, so the browser is not to hold on to one of them.
    <ol
      aria-label="Findings"
      className="[overflow-anchor:none]"
      style={{ transform: `translateY(${start * ROW_HEIGHT}px)` }}
    >
      <Lines rows={rows.slice(start, start + size)} first={start + 1} count={rows.length} {...rest} />
    </ol>
  );
}

interface LinesProps extends Omit<FindingListProps, 'rows' | 'expected' | 'isWindowed'> {
  readonly rows: readonly Row[];
  /** The number of the first line among all, where not all are there. */
  readonly first?: number;
  readonly count?: number;
}

function Lines({ rows, first, count, chosen, selected, addressBefore }: LinesProps) {
  return rows.map((row, at) => (
    <ListRow
      key={`${row.kind} ${row.key}`}
      row={row}
      position={first === undefined ? undefined : first + at}
      count={count}
      isChosen={row.kind === 'finding' && row.key === chosen}
      isSelected={selected === null ? null : selected.has(row.key)}
      addressBefore={addressBefore}
    />
  ));
}

/** Changes only every few lines, not with every pixel. */
function useSeenRows(list: RefObject<HTMLElement | null>): { readonly from: number; readonly size: number } {
  const [seen, setSeen] = useState({ from: 0, size: 40 });
  const update = useRef(() => {
    const top = list.current?.getBoundingClientRect().top ?? 0;
    const first = Math.max(0, Math.floor(-top / ROW_HEIGHT) - SPARE_ROWS);
    const from = first - (first % STEP_ROWS);
    const size = Math.ceil(innerHeight / ROW_HEIGHT) + 2 * SPARE_ROWS + STEP_ROWS;
    setSeen((before) => (before.from === from && before.size === size ? before : { from, size }));
  });
  const isPainted = useRef(false);
  // Where the list is can be asked at no cost once it was painted, and before that it begins at its first line.
  useLayoutEffect(() => {
    if (isPainted.current) update.current();
  });
  useEffect(() => {
    const { current: follow } = update;
    isPainted.current = true;
    follow();
    addEventListener('scroll', follow, { passive: true });
    addEventListener('resize', follow);
    return () => {
      removeEventListener('scroll', follow);
      removeEventListener('resize', follow);
    };
  }, []);
  return seen;
}
