/** Findings in groups that unfold. A long group shows its first findings, and the next ones on demand. */
import { useMemo, useState } from 'react';
import { counted } from '../../lib/format.ts';
import { Button } from '../../ui/button.tsx';
import { InlineCheckbox } from '../../ui/inline-checkbox.tsx';
import { SeverityChip } from '../../ui/severity.tsx';
import type { Grouping } from './address.ts';
import { FindingsList, type FindingsListProps } from './findings-list.tsx';
import { groupsOf, type FindingGroup } from './grouping.ts';

const SHOWN_AT_ONCE = 200;

export interface GroupedListProps extends Omit<FindingsListProps, 'label'> {
  readonly grouping: Grouping;
  readonly onSelectAll: (keys: readonly string[]) => void;
}

export function GroupedList({ findings, grouping, onSelectAll, ...rest }: GroupedListProps) {
  const groups = useMemo(() => groupsOf(findings, grouping), [findings, grouping]);
  /** How many findings of each open group are shown. */
  const [open, setOpen] = useState<ReadonlyMap<string, number>>(new Map());
  function fold(key: string): void {
    const next = new Map(open);
    if (!next.delete(key)) next.set(key, SHOWN_AT_ONCE);
    setOpen(next);
  }
  return (
    <ul aria-label="Groups of findings">
      {groups.map((group) => {
        const shown = open.get(group.key);
        return (
          <li key={group.key}>
            <Heading
              group={group}
              grouping={grouping}
              isOpen={shown !== undefined}
              selected={rest.selected}
              onFold={() => fold(group.key)}
              onSelectAll={onSelectAll}
            />
            {shown === undefined ? null : (
              <div className="border-l-4 border-line">
                <FindingsList label={group.name} findings={group.findings.slice(0, shown)} {...rest} />
                {shown < group.findings.length ? (
                  <div className="border-b border-line p-2">
                    <Button
                      look="quiet"
                      onClick={() => setOpen(new Map(open).set(group.key, shown + SHOWN_AT_ONCE))}
                    >
                      Show more of {group.name}
                    </Button>
                  </div>
                ) : null}
              </div>
            )}
          </li>
        );
      })}
    </ul>
  );
}

interface HeadingProps {
  readonly group: FindingGroup;
  readonly grouping: Grouping;
  readonly isOpen: boolean;
  readonly selected: ReadonlySet<string>;
  readonly onFold: () => void;
  readonly onSelectAll: (keys: readonly string[]) => void;
}

function Heading({ group, grouping, isOpen, selected, onFold, onSelectAll }: HeadingProps) {
  const { name, severity, findings } = group;
  const count = findings.filter(({ findingKey }) => selected.has(findingKey)).length;
  return (
    <div className="flex min-h-9 pointer-coarse:min-h-11 items-center border-b border-line bg-surface hover:bg-hover">
      <span className="flex w-9 shrink-0 self-stretch">
        <InlineCheckbox
          label={`Select ${counted(findings.length, 'finding')} of ${name}`}
          state={count === 0 ? 'none' : count === findings.length ? 'all' : 'some'}
          onToggle={() => onSelectAll(findings.map(({ findingKey }) => findingKey))}
        />
      </span>
      <button
        type="button"
        aria-expanded={isOpen}
        data-key=""
        onClick={onFold}
        className="flex min-h-9 pointer-coarse:min-h-11 min-w-0 grow items-center gap-3 pr-2 text-left -outline-offset-2"
      >
        <span className="w-[5.5rem] shrink-0">
          <SeverityChip severity={severity} />
        </span>
        <svg
          viewBox="0 0 12 12"
          aria-hidden="true"
          className={`size-3 shrink-0 fill-none stroke-current ${isOpen ? 'rotate-90' : ''}`}
        >
          <path d="M4.5 2.5 8 6l-3.5 3.5" strokeWidth="1.5" />
        </svg>
        {grouping === 'severity' ? null : (
          <span
            dir="auto"
            className="truncate py-1 font-strong roomy:line-clamp-2 roomy:whitespace-normal"
            title={name}
          >
            {name}
          </span>
        )}
        <span className="shrink-0 text-quiet nums">{findings.length.toLocaleString('en')}</span>
      </button>
    </div>
  );
}
