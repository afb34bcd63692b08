/** One row of the list: a finding, or the heading of a group. */
import { enumLabels } from '@svc/report/reading/labels';
import { memo } from 'react';
import { counted } from '../../lib/format.ts';
import { InlineCheckbox } from '../../ui/inline-checkbox.tsx';
import { SeverityChip } from '../../ui/severity.tsx';
import type { Entry } from './entries.ts';
import { CodeLocation } from './code-location.tsx';
import type { Row } from './rows.ts';

export type SelectedState = 'none' | 'some' | 'all';

/** The widths of the columns, which the head of the list shares. The list shows as many as fit. */
export const cellLooks = {
  severity: 'w-[5.5rem] shrink-0',
  title: 'flex min-w-32 grow basis-0 items-center gap-2',
  status: 'hidden w-28 shrink-0 @3xl:block',
  location: 'hidden w-[34%] min-w-0 @2xl:flex',
  verification: 'hidden w-28 shrink-0 @5xl:block',
} as const;

export interface ListRowProps {
  readonly row: Row;
  /** The position among all rows, if the list is windowed. */
  readonly position: number | undefined;
  readonly count: number | undefined;
  readonly isChosen: boolean;
  /** Null if selection is not available. */
  readonly selected: SelectedState | null;
  readonly addressBefore: string;
}

/** Forced colours remove the background, so a border marks the row. */
const chosenLook = 'bg-chosen forced-colors:border-l-4 forced-colors:border-l-[Highlight]';
const rowLook = 'flex h-(--row) items-center border-b border-line -outline-offset-2';
const titleLook = 'truncate roomy:line-clamp-2 roomy:whitespace-normal';

export const ListRow = memo(function ListRow(props: ListRowProps) {
  const { row, position, count, selected } = props;
  return (
    <li
      aria-posinset={position}
      aria-setsize={count}
      className={`${rowLook} ${props.isChosen ? chosenLook : 'hover:bg-hover'}`}
    >
      {selected === null ? null : <SelectBox row={row} selected={selected} />}
      {row.kind === 'group' ? <Group row={row} /> : <FindingLine {...props} entry={row.entry} />}
    </li>
  );
}, isSame);

/** Filters create new row objects with the same content. */
function isSame(before: ListRowProps, after: ListRowProps): boolean {
  return (
    before.position === after.position &&
    before.count === after.count &&
    before.isChosen === after.isChosen &&
    before.selected === after.selected &&
    before.addressBefore === after.addressBefore &&
    contentOf(before.row) === contentOf(after.row)
  );
}

function contentOf(row: Row): unknown {
  return row.kind === 'finding' ? row.entry.finding : `${row.key} ${row.count} ${row.severity} ${row.isOpen}`;
}

/** The list listens for its clicks. */
function SelectBox({ row, selected }: { readonly row: Row; readonly selected: SelectedState }) {
  const { kind, key } = row;
  const data = kind === 'group' ? { 'data-select-group': key } : { 'data-select': key };
  const label = kind === 'group' ? `Select ${counted(row.count, 'finding')} of ${row.name}` : `Select ${key}`;
  return (
    <span {...data} className="flex w-8 shrink-0 self-stretch cursor-pointer items-center px-2">
      <InlineCheckbox label={label} state={selected} data={data} />
    </span>
  );
}

function Group({ row }: { readonly row: Row & { readonly kind: 'group' } }) {
  const { key, name, detail, severity, count, isOpen } = row;
  return (
    <button
      type="button"
      aria-expanded={isOpen}
      data-fold={key}
      className="flex w-full min-w-0 items-center gap-1 self-stretch px-2 text-left -outline-offset-2 @[26rem]:gap-3"
    >
      <span className={cellLooks.severity}>
        <SeverityChip severity={severity} />
      </span>
      <svg
        viewBox="0 0 12 12"
        aria-hidden="true"
        className={`size-3 shrink-0 fill-none stroke-current ${isOpen ? 'rotate-90' : ''}`}
      >
        <path d="M4.5 2.5 8 6l-3.5 3.5" strokeWidth="1.5" />
      </svg>
      {/* If the list is grouped by severity, the chip already names the group. */}
      {key === severity ? null : (
        <span className={`${titleLook} font-strong`} title={name}>
          {name}
        </span>
      )}
      <span className="shrink-0 text-quiet nums">{count.toLocaleString('en')}</span>
      {detail === '' ? null : (
        <code className="ml-auto hidden max-w-[40%] min-w-16 truncate text-right text-small text-quiet @2xl:block">
          {detail}
        </code>
      )}
    </button>
  );
}

interface FindingLineProps extends ListRowProps {
  readonly entry: Entry;
}

function FindingLine({ entry: { finding, place }, isChosen, addressBefore }: FindingLineProps) {
  const { id, title, severity, verification, status } = finding;
  const isMoved = status !== undefined && status !== 'open';
  return (
    <a
      href={`${addressBefore}${id}`}
      data-id={id}
      aria-current={isChosen || undefined}
      className="flex min-w-0 grow items-center gap-1 self-stretch px-2 py-1 -outline-offset-2 @[26rem]:gap-3"
    >
      <span className={cellLooks.severity}>
        <SeverityChip severity={severity} />
      </span>
      <span className={cellLooks.title}>
        <span dir="auto" title={title} className={`${titleLook} ${isMoved ? 'text-quiet' : ''}`}>
          {title}
        </span>
        {isMoved ? (
          <span className="ml-auto hidden shrink-0 text-small text-quiet @md:inline @3xl:hidden">
            {enumLabels[status]}
          </span>
        ) : null}
      </span>
      <span className={`${cellLooks.status} text-small text-quiet`}>
        {status === undefined ? '' : enumLabels[status]}
      </span>
      <span className={`${cellLooks.location} text-quiet`}>
        <CodeLocation place={place} />
      </span>
      <span className={`${cellLooks.verification} text-small text-quiet`}>{enumLabels[verification]}</span>
    </a>
  );
}
