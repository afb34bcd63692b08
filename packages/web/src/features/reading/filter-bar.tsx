/** The search, the facets with their counts, and the active filters as removable chips. */
import { labelOf } from '@svc/report/reading/labels';
import { facetNames, type FacetName } from '@svc/contract/facets';
import { findingStatuses, severities, verifications } from '@svc/contract/enums';
import { useRef } from 'react';
import { Choice } from '../../ui/choice.tsx';
import { Disclosure } from '../../ui/disclosure.tsx';
import { inputShape } from '../../ui/field.tsx';
import { useShortcuts } from '../../ui/shortcuts.tsx';
import { groupings, isFiltered, noFilters, toggled, type Filters, type Grouping } from './filters.ts';
import type { View } from './view.ts';

/** Longer lists show the most frequent values; the search finds the others. */
const VALUES_SHOWN_MAX = 50;

/** The fixed order of enum facets; other facets are sorted by count. */
const orders: Readonly<Partial<Record<FacetName, readonly string[]>>> = {
  severity: severities,
  verification: verifications,
  status: findingStatuses,
};

const facetLabels: Readonly<Record<FacetName, string>> = {
  severity: 'Severity',
  verification: 'Verification',
  status: 'Status',
  category: 'Category',
  tool: 'Tool',
  rule: 'Rule',
  component: 'Component',
  folder: 'Folder',
};

const textFacets: ReadonlySet<FacetName> = new Set(['tool', 'rule', 'component', 'folder']);

/** Values from the text of findings are shown unchanged; enum values get a label. */
function valueLabel(name: FacetName, value: string): string {
  return textFacets.has(name) ? value : labelOf(value);
}

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
        {facetNames.map((name) => (
          <Facet key={name} name={name} filters={filters} view={view} isWhole={isWhole} onFilter={onFilter} />
        ))}
        <div className="ml-auto flex shrink-0 items-center gap-3">
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
      <Chips filters={filters} onFilter={onFilter} />
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
      className={`${inputShape} min-w-0 sm:max-w-60`}
    />
  );
}

interface FacetProps extends Pick<FilterBarProps, 'filters' | 'view' | 'isWhole' | 'onFilter'> {
  readonly name: FacetName;
}

/** Hides values without matches under the other filters, unless they are selected. */
function Facet({ name, filters, view, isWhole, onFilter }: FacetProps) {
  const chosen = filters.chosen[name];
  const counts = view.counts[name];
  // Folders are unknown until the whole report has loaded; keep their place in the layout.
  const isToCome = !isWhole && name === 'folder';
  if (counts.size < 2 && chosen.length === 0 && !isToCome) return null;
  return (
    <Disclosure
      isCompact
      label={
        <>
          {facetLabels[name]}
          {chosen.length > 0 ? <span className="text-accent-text nums">{chosen.length}</span> : null}
        </>
      }
    >
      {() => {
        if (isToCome) return <p className="px-2 py-1 text-quiet">Loading…</p>;
        const values = ordered(name, [...new Set([...chosen, ...counts.keys()])], counts);
        const shown = values.slice(0, VALUES_SHOWN_MAX);
        return (
          <fieldset>
            <legend className="sr-only">{facetLabels[name]}</legend>
            {shown.map((value) => (
              <label
                key={value}
                className="flex min-h-8 pointer-coarse:min-h-11 items-center gap-2 rounded px-2 hover:bg-hover"
              >
                <input
                  type="checkbox"
                  checked={chosen.includes(value)}
                  onChange={() => onFilter(toggled(filters, name, value))}
                  className="size-4 shrink-0 accent-accent"
                />
                <span className="max-w-64 truncate" title={value}>
                  {valueLabel(name, value)}
                </span>
                <span className="ml-auto pl-4 text-quiet nums">
                  {(counts.get(value) ?? 0).toLocaleString('en')}
                </span>
              </label>
            ))}
            {values.length > shown.length ? (
              <p className="px-2 py-1 text-small text-quiet">
                {(values.length - shown.length).toLocaleString('en')} more: search <code>{name}:name</code>
              </p>
            ) : null}
          </fieldset>
        );
      }}
    </Disclosure>
  );
}

function ordered(
  name: FacetName,
  values: readonly string[],
  counts: ReadonlyMap<string, number>,
): readonly string[] {
  const order = orders[name];
  if (order) return values.toSorted((one, other) => order.indexOf(one) - order.indexOf(other));
  return values.toSorted(
    (one, other) => (counts.get(other) ?? 0) - (counts.get(one) ?? 0) || (one < other ? -1 : 1),
  );
}

function Chips({ filters, onFilter }: Pick<FilterBarProps, 'filters' | 'onFilter'>) {
  if (!isFiltered(filters)) return null;
  const query = filters.query.trim();
  return (
    <ul aria-label="Active filters" className="flex flex-wrap items-center gap-2">
      {query === '' ? null : (
        <Chip label="Search" value={query} onRemove={() => onFilter({ ...filters, query: '' })} />
      )}
      {facetNames.flatMap((name) =>
        filters.chosen[name].map((value) => (
          <Chip
            key={`${name} ${value}`}
            label={facetLabels[name]}
            value={valueLabel(name, value)}
            onRemove={() => onFilter(toggled(filters, name, value))}
          />
        )),
      )}
      <li>
        <button
          type="button"
          onClick={() => onFilter(noFilters)}
          className="min-h-6 rounded px-1 text-accent-text underline"
        >
          Clear all
        </button>
      </li>
    </ul>
  );
}

interface ChipProps {
  readonly label: string;
  readonly value: string;
  readonly onRemove: () => void;
}

function Chip({ label, value, onRemove }: ChipProps) {
  return (
    <li>
      <button
        type="button"
        aria-label={`Remove ${label}: ${value}`}
        onClick={onRemove}
        className="flex min-h-6 pointer-coarse:min-h-11 max-w-72 items-center gap-1.5 rounded bg-chosen px-2 text-small"
      >
        <span className="truncate">
          <span className="text-quiet">{label}</span> {value}
        </span>
        <span aria-hidden="true">✕</span>
      </button>
    </li>
  );
}
