/** One facet of the findings: its values with their counts, each of which can be selected. */
import { facetNames, type FacetName } from '@svc/contract/facets';
import { findingStatuses, severities, verifications } from '@svc/contract/enums';
import { Disclosure } from '../../ui/disclosure.tsx';
import { FilterOption } from '../../ui/filter-option.tsx';
import { facetLabels, valueLabel } from './facet-labels.ts';
import { toggled, type Filters } from './filters.ts';
import type { View } from './view.ts';

/** Longer lists show the most frequent values; the search finds the others. */
const VALUES_SHOWN_MAX = 50;

/** The fixed order of enum facets; other facets are sorted by count. */
const orders: Readonly<Partial<Record<FacetName, readonly string[]>>> = {
  severity: severities,
  verification: verifications,
  status: findingStatuses,
};

export interface FacetsProps {
  readonly filters: Filters;
  readonly view: View;
  readonly isWhole: boolean;
  readonly onFilter: (filters: Filters) => void;
}

/** The facets with several values to select from, or with a selected one. */
export function offeredFacets({
  filters,
  view,
  isWhole,
}: Omit<FacetsProps, 'onFilter'>): readonly FacetName[] {
  return facetNames.filter(
    (name) => view.counts[name].size >= 2 || filters.chosen[name].length > 0 || isToCome(name, isWhole),
  );
}

/** Folders are unknown until the whole report has loaded; their place in the layout is kept. */
function isToCome(name: FacetName, isWhole: boolean): boolean {
  return !isWhole && name === 'folder';
}

export interface FacetProps extends FacetsProps {
  readonly name: FacetName;
}

/** Hides values without matches under the other filters, unless they are selected. */
export function Facet({ name, filters, view, isWhole, onFilter }: FacetProps) {
  const chosen = filters.chosen[name];
  const counts = view.counts[name];
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
        if (isToCome(name, isWhole)) return <p className="px-2 py-1 text-quiet">Loading…</p>;
        const values = ordered(name, [...new Set([...chosen, ...counts.keys()])], counts);
        const shown = values.slice(0, VALUES_SHOWN_MAX);
        return (
          <fieldset>
            <legend className="sr-only">{facetLabels[name]}</legend>
            {shown.map((value) => (
              <FilterOption
                key={value}
                label={valueLabel(name, value)}
                title={value}
                count={counts.get(value) ?? 0}
                isChosen={chosen.includes(value)}
                onToggle={() => onFilter(toggled(filters, name, value))}
              />
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
