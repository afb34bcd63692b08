/** The search, the facets with their counts, and the active filters as removable chips. */
import { useRef } from 'react';
import { Choice } from '../../ui/choice.tsx';
import { inputShape } from '../../ui/field.tsx';
import { useShortcuts } from '../../ui/shortcuts.tsx';
import { Facets } from './facets.tsx';
import { FilterChips } from './filter-chips.tsx';
import { groupings, type Filters, type Grouping } from './filters.ts';
import type { View } from './view.ts';

export interface FilterBarProps {
  readonly filters: Filters;
  readonly grouping: Grouping;
  readonly view: View;
  readonly isWhole: boolean;
  /** The filters need findings that are not loaded yet. */
  readonly isWaiting: boolean;
  readonly onFilter: (filters: Filters) => void;
  readonly onGroup: (grouping: Grouping) => void;
}

export function FilterBar(props: FilterBarProps) {
  const { filters, grouping, view, isWhole, isWaiting, onFilter, onGroup } = props;
  return (
    <search aria-label="Findings" className="flex flex-col gap-2 print:hidden">
      <div className="relative flex flex-wrap items-center gap-x-1 gap-y-2 xl:flex-nowrap">
        <SearchField filters={filters} onFilter={onFilter} />
        <Facets filters={filters} view={view} isWhole={isWhole} onFilter={onFilter} />
        <div className="ml-auto flex shrink-0 items-center gap-3 max-sm:w-full max-sm:justify-between">
          <p role="status" className="text-quiet whitespace-nowrap nums">
            {isWaiting
              ? 'Loading all findings…'
              : shownOf(isWhole ? view.shown.length : view.total, view.total)}
          </p>
          <Choice
            label="Group"
            value={grouping}
            options={groupings.map((each) => [each, each === 'none' ? 'None' : `By ${each}`] as const)}
            onChoose={onGroup}
          />
        </div>
      </div>
      <FilterChips filters={filters} onFilter={onFilter} />
    </search>
  );
}

function shownOf(shown: number, total: number): string {
  return `${shown.toLocaleString('en')} of ${total.toLocaleString('en')}`;
}

function SearchField({ filters, onFilter }: Pick<FilterBarProps, 'filters' | 'onFilter'>) {
  const field = useRef<HTMLInputElement>(null);
  useShortcuts([{ key: '/', label: 'Search findings', run: () => field.current?.focus() }]);
  return (
    <input
      ref={field}
      type="search"
      value={filters.query}
      aria-label="Search findings"
      placeholder="Search, or severity:high path:src/"
      autoComplete="off"
      autoCapitalize="none"
      spellCheck={false}
      onChange={(event) => onFilter({ ...filters, query: event.currentTarget.value })}
      onKeyDown={(event) => {
        if (event.key === 'Escape') event.currentTarget.blur();
      }}
      className={`${inputShape} min-w-0 text-ellipsis max-sm:w-auto max-sm:grow max-sm:basis-3/5 sm:max-w-60 2xl:max-w-80`}
    />
  );
}
