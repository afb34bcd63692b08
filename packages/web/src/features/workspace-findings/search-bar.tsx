/**
 * The search field, the facets of severity and status with their counts, the grouping and the order. A phone has all but
 * the field behind one button.
 */
import { findingSorts, findingStatuses, severities } from '@svc/contract/enums';
import type { FindingSort, SeverityCounts, StatusCounts } from '@svc/contract';
import { labelOf } from '@svc/report/reading/labels';
import { useRef } from 'react';
import { Choice } from '../../ui/choice.tsx';
import { Disclosure } from '../../ui/disclosure.tsx';
import { inputShape } from '../../ui/field.tsx';
import { FilterOption } from '../../ui/filter-option.tsx';
import { PhoneFold } from '../../ui/phone-fold.tsx';
import { useShortcuts } from '../../ui/shortcuts.tsx';
import { groupings, type ChangeSearch, type FindingsSearch, type Grouping } from './address.ts';
import { toggledIn, valuesIn } from './search.ts';

const sortLabels: Readonly<Record<FindingSort, string>> = {
  severity: 'Most severe',
  newest: 'Newest',
  oldest: 'Oldest',
  project: 'Project',
};

const groupLabels: Readonly<Record<Grouping, string>> = {
  title: 'Title',
  project: 'Project',
  severity: 'Severity',
};

export interface SearchBarProps {
  readonly search: FindingsSearch;
  /** Undefined while loading. */
  readonly counts: { readonly severity: SeverityCounts; readonly status: StatusCounts } | undefined;
  readonly problems: readonly string[];
  /** Omits sorting and grouping by project. */
  readonly isOneProject?: boolean;
  readonly onChange: ChangeSearch;
}

const noGroups = ['', 'None'] as const;

export function SearchBar({ search, counts, problems, isOneProject = false, onChange }: SearchBarProps) {
  const { q = '', sort = 'severity', group = '' } = search;
  const offered = groupings.filter((each) => !isOneProject || each !== 'project');
  const onSearch = (changed: string) => onChange({ q: changed });
  const field = useRef<HTMLInputElement>(null);
  useShortcuts([{ key: '/', label: 'Search findings', run: () => field.current?.focus() }]);
  return (
    <search aria-label="Findings" className="flex flex-col gap-2 print:hidden">
      <div className="relative flex flex-wrap items-center gap-x-1 gap-y-2">
        <input
          ref={field}
          type="search"
          value={q}
          aria-label="Search findings"
          aria-describedby={problems.length > 0 ? 'search-problems' : undefined}
          placeholder="Search, or severity:high path:src/"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          onChange={(event) => onSearch(event.currentTarget.value)}
          className={`${inputShape} min-w-0 text-ellipsis max-sm:w-auto max-sm:grow max-sm:basis-3/5 sm:max-w-96`}
        />
        <PhoneFold label="Filters" count={valuesIn(q, 'severity').length + valuesIn(q, 'status').length}>
          <Facet
            name="severity"
            values={severities}
            counts={counts?.severity}
            search={q}
            onSearch={onSearch}
          />
          <Facet
            name="status"
            values={findingStatuses}
            counts={counts?.status}
            search={q}
            onSearch={onSearch}
          />
          <div className="flex flex-wrap items-center gap-x-4 gap-y-2 max-sm:px-1.5 sm:ml-auto">
            <Choice
              label="Group"
              value={group}
              options={[noGroups, ...offered.map((each) => [each, groupLabels[each]] as const)]}
              onChoose={(value) => onChange({ group: value === '' ? undefined : value })}
            />
            <Choice
              label="Sort"
              value={sort}
              options={findingSorts
                .filter((each) => !isOneProject || each !== 'project')
                .map((each) => [each, sortLabels[each]] as const)}
              onChoose={(value) => onChange({ sort: value })}
            />
          </div>
        </PhoneFold>
      </div>
      {problems.length > 0 ? (
        <ul id="search-problems" role="status" className="text-small text-danger-text">
          {problems.map((problem) => (
            <li key={problem}>{problem}</li>
          ))}
        </ul>
      ) : null}
    </search>
  );
}

interface FacetProps<Value extends string> {
  readonly name: 'severity' | 'status';
  readonly values: readonly Value[];
  readonly counts: Readonly<Record<Value, number>> | undefined;
  readonly search: string;
  readonly onSearch: (search: string) => void;
}

/** Choosing a value edits the search, so the URL and saved views need nothing else. */
function Facet<Value extends string>({ name, values, counts, search, onSearch }: FacetProps<Value>) {
  const chosen = valuesIn(search, name);
  return (
    <Disclosure
      label={
        <>
          {labelOf(name)}
          {chosen.length > 0 ? <span className="text-accent-text nums">{chosen.length}</span> : null}
        </>
      }
    >
      {() => (
        <fieldset>
          <legend className="sr-only">{labelOf(name)}</legend>
          {values.map((value) => (
            <FilterOption
              key={value}
              label={labelOf(value)}
              count={counts?.[value]}
              isChosen={chosen.includes(value)}
              onToggle={() => onSearch(toggledIn(search, name, value))}
            />
          ))}
        </fieldset>
      )}
    </Disclosure>
  );
}
