/** One row of the list: a finding, or the heading of a group. */
import { enumLabels } from '@svc/report/reading/labels';
import { memo } from 'react';
import { SeverityGlyph, severityLooks } from '../../ui/severity.tsx';
import type { Entry } from './entries.ts';
import { CodeLocation } from './code-location.tsx';
import type { Row } from './rows.ts';

export interface ListRowProps {
  readonly row: Row;
  /** The position among all rows, if the list is windowed. */
  readonly position: number | undefined;
  readonly count: number | undefined;
  readonly isChosen: boolean;
  /** Null if selection is not available. */
  readonly isSelected: boolean | null;
  readonly addressBefore: string;
}

/** Forced colours remove the background, so a border marks the row. */
const chosenLook = 'bg-chosen forced-colors:border-l-4 forced-colors:border-l-[Highlight]';
const rowLook = 'flex h-9 items-center border-b border-line -outline-offset-2';

export const ListRow = memo(function ListRow(props: ListRowProps) {
  const { row, position, count } = props;
  return (
    <li
      aria-posinset={position}
      aria-setsize={count}
      className={`${rowLook} ${props.isChosen ? chosenLook : 'hover:bg-hover'}`}
    >
      {row.kind === 'group' ? <Group {...row} id={row.key} /> : <FindingLine {...props} entry={row.entry} />}
    </li>
  );
}, isSame);

/** Filters create new row objects with the same content. */
function isSame(before: ListRowProps, after: ListRowProps): boolean {
  return (
    before.position === after.position &&
    before.count === after.count &&
    before.isChosen === after.isChosen &&
    before.isSelected === after.isSelected &&
    before.addressBefore === after.addressBefore &&
    contentOf(before.row) === contentOf(after.row)
  );
}

function contentOf(row: Row): unknown {
  return row.kind === 'finding' ? row.entry.finding : `${row.key} ${row.count} ${row.isOpen}`;
}

interface GroupProps {
  readonly id: string;
  readonly name: string;
  readonly count: number;
  readonly isOpen: boolean;
}

function Group({ id, name, count, isOpen }: GroupProps) {
  return (
    <button
      type="button"
      aria-expanded={isOpen}
      data-fold={id}
      className="flex h-full w-full min-w-0 items-center gap-2 px-2 text-left font-strong -outline-offset-2"
    >
      <svg
        viewBox="0 0 12 12"
        aria-hidden="true"
        className={`size-3 shrink-0 fill-none stroke-current ${isOpen ? 'rotate-90' : ''}`}
      >
        <path d="M4.5 2.5 8 6l-3.5 3.5" strokeWidth="1.5" />
      </svg>
      <span className="truncate" title={name}>
        {name}
      </span>
      <span className="font-normal text-quiet nums">{count.toLocaleString('en')}</span>
    </button>
  );
}

interface FindingLineProps extends ListRowProps {
  readonly entry: Entry;
}

function FindingLine({ entry: { finding, place }, isChosen, isSelected, addressBefore }: FindingLineProps) {
  const { id, title, severity, verification, status } = finding;
  const { word } = severityLooks[severity];
  const isMoved = status !== undefined && status !== 'open';
  return (
    <>
      {isSelected === null ? null : (
        <span data-select={id} className="flex h-full shrink-0 cursor-pointer items-center px-2">
          <input
            type="checkbox"
            checked={isSelected}
            readOnly
            data-select={id}
            aria-label={`Select ${id}`}
            className="size-4 cursor-pointer accent-accent"
          />
        </span>
      )}
      <a
        href={`${addressBefore}${id}`}
        data-id={id}
        aria-current={isChosen || undefined}
        className="flex h-full min-w-0 grow items-center gap-2 px-2 @[26rem]:gap-3 -outline-offset-2"
      >
        <span className="flex w-17 shrink-0 items-center gap-1.5 text-small @[26rem]:w-20 @[26rem]:text-base">
          <SeverityGlyph severity={severity} />
          {word}
        </span>
        <span
          dir="auto"
          title={title}
          className={`min-w-32 grow basis-0 truncate ${isMoved ? 'text-quiet' : ''}`}
        >
          {title}
        </span>
        {isMoved ? (
          <span className="hidden shrink-0 text-small text-quiet @md:inline">{enumLabels[status]}</span>
        ) : null}
        <span className="hidden max-w-[45%] min-w-0 text-quiet @xl:flex">
          <CodeLocation place={place} />
        </span>
        <span className="hidden w-28 shrink-0 text-small text-quiet @4xl:inline">
          {enumLabels[verification]}
        </span>
      </a>
    </>
  );
}
