/** The search, the facets with what there is of each value, and what is chosen, to be taken away again. */
import { labelOf } from '@svc/contract/labels';
import { facetNames, type FacetName } from '@svc/contract/reading/facets';
import { findingStatuses, severities, verifications } from '@svc/contract/words';
import { useRef } from 'react';
import { Disclosure } from '../../ui/disclosure.tsx';
import { inputShape } from '../../ui/field.tsx';
import { useShortcuts } from '../../ui/shortcuts.tsx';
import { groupings, isFiltered, noFilters, toggled, type Filters, type Grouping } from './filters.ts';
import type { View } from './view.ts';

/** Of longer lists the most frequent are shown; the search finds the others. */
const VALUES_SHOWN_MAX = 50;

/** The order of words that have one; all others stand by how many there are. */
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
  component: 'Component',
  folder: 'Folder',
};

/** What a text of the report names is shown as it is; a word of the contract, as people say it. */
function valueLabel(name: FacetName, value: string): string {
  return name === 'component' || name === 'folder' ? value : labelOf(value);
}

export interface FilterBarProps {
  readonly filters: Filters;
  readonly grouping: Grouping;
  readonly view: View;
  readonly isWhole: boolean;
  readonly onFilter: (filters: Filters) => void;
  readonly onGroup: (grouping: Grouping) => void;
}

export function FilterBar({ filters, grouping, view, isWhole, onFilter, onGroup }: FilterBarProps) {
  return (
    <search aria-label="Findings" className="flex flex-col gap-2 print:hidden">
      <div className="relative flex flex-wrap items-center gap-x-1 gap-y-2">
        <SearchField filters={filters} onFilter={onFilter} />
        {facetNames.map((name) => (
          <Facet key={name} name={name} filters={filters} view={view} isWhole={isWhole} onFilter={onFilter} />
        ))}
        <label className="ml-auto flex items-center gap-2 text-quiet">
          Group
          <select
            value={grouping}
            onChange={(event) => onGroup(event.currentTarget.value as Grouping)}
            className="min-h-8 rounded border border-edge bg-page px-2 text-text"
          >
            {groupings.map((each) => (
              <option key={each} value={each}>
                {each === 'none' ? 'None' : `By ${each}`}
              </option>
            ))}
          </select>
        </label>
      </div>
      <Chips filters={filters} onFilter={onFilter} />
    </search>
  );
}

function SearchField({ filters, onFilter }: Pick<FilterBarProps, 'filters' | 'onFilter'>) {
  const field = useRef<HTMLInputElement>(null);
  useShortcuts([{ key: '/', words: 'Search the findings', run: () => field.current?.focus() }]);
  return (
    <input
      ref={field}
      type="search"
      value={filters.query}
      aria-label="Search the findings"
      placeholder="Search, or severity:high path:src/"
      autoComplete="off"
      autoCapitalize="none"
      spellCheck={false}
      onChange={(event) => onFilter({ ...filters, query: event.currentTarget.value })}
      onKeyDown={(event) => {
        if (event.key === 'Escape') event.currentTarget.blur();
      }}
      className={`${inputShape} sm:max-w-72`}
    />
  );
}

interface FacetProps extends Pick<FilterBarProps, 'filters' | 'view' | 'isWhole' | 'onFilter'> {
  readonly name: FacetName;
}

/** Values that the other filters leave nothing of are not offered, unless they are chosen. */
function Facet({ name, filters, view, isWhole, onFilter }: FacetProps) {
  const chosen = filters.chosen[name];
  const counts = view.counts[name];
  // Of the folders nothing is known before the whole report has come; its place is kept.
  const isToCome = !isWhole && name === 'folder';
  if (counts.size < 2 && chosen.length === 0 && !isToCome) return null;
  return (
    <Disclosure
      label={
        <>
          {facetLabels[name]}
          {chosen.length > 0 ? <span className="text-accent-text nums">{chosen.length}</span> : null}
        </>
      }
    >
      {() => {
        if (isToCome) return <p className="px-2 py-1 text-quiet">Loading …</p>;
        const values = ordered(name, [...new Set([...chosen, ...counts.keys()])], counts);
        const shown = values.slice(0, VALUES_SHOWN_MAX);
        return (
          <fieldset>
            <legend className="sr-only">{facetLabels[name]}</legend>
            {shown.map((value) => (
              <label key={value} className="flex min-h-8 items-center gap-2 rounded px-2 hover:bg-hover">
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
    <ul aria-label="Filters in use" className="flex flex-wrap items-center gap-2">
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
        className="flex min-h-6 max-w-72 items-center gap-1.5 rounded bg-chosen px-2 text-small"
      >
        <span className="truncate">
          <span className="text-quiet">{label}</span> {value}
        </span>
        <span aria-hidden="true">✕</span>
      </button>
    </li>
  );
}
