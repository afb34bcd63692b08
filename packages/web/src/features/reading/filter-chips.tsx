/** The active filters, each of which can be removed. */
import { facetNames } from '@svc/contract/facets';
import { facetLabels, valueLabel } from './facet-labels.ts';
import { isFiltered, noFilters, toggled, type Filters } from './filters.ts';

export interface FilterChipsProps {
  readonly filters: Filters;
  readonly onFilter: (filters: Filters) => void;
}

export function FilterChips({ filters, onFilter }: FilterChipsProps) {
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
          className="min-h-6 pointer-coarse:min-h-11 rounded px-1 text-accent-text underline"
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
