/** The search field, the facets of severity and status with their counts, the grouping and the order. */
import { findingSorts, findingStatuses, severities } from '@svc/contract/enums';
import type { FindingSort, SeverityCounts, StatusCounts } from '@svc/contract';
import { labelOf } from '@svc/report/reading/labels';
import { useRef } from 'react';
import { Choice } from '../../ui/choice.tsx';
import { Disclosure } from '../../ui/disclosure.tsx';
import { inputShape } from '../../ui/field.tsx';
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
          className={`${inputShape} sm:max-w-96`}
        />
        <Facet name="severity" values={severities} counts={counts?.severity} search={q} onSearch={onSearch} />
        <Facet
          name="status"
          values={findingStatuses}
          counts={counts?.status}
          search={q}
          onSearch={onSearch}
        />
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2 sm:ml-auto">
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
            <label
              key={value}
              className="flex min-h-8 pointer-coarse:min-h-11 items-center gap-2 rounded px-2 hover:bg-hover"
            >
              <input
                type="checkbox"
                checked={chosen.includes(value)}
                onChange={() => onSearch(toggledIn(search, name, value))}
                className="size-4 shrink-0 accent-accent"
              />
              {labelOf(value)}
              <span className="ml-auto pl-4 text-quiet nums">{counts?.[value].toLocaleString('en')}</span>
            </label>
          ))}
        </fieldset>
      )}
    </Disclosure>
  );
}
