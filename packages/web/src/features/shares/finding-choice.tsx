/** Selects single findings for a view, with a search. */
import type { ProjectedFinding } from '@svc/contract';
import { useId, useMemo, useState } from 'react';
import { counted } from '../../lib/format.ts';
import { inputShape } from '../../ui/field.tsx';
import { SeverityMark } from '../../ui/severity.tsx';
import type { PolicyAction } from './policy.ts';

/** Rows listed at most; a narrower search finds the others. */
const SHOWN_MAX = 100;

export interface FindingChoiceProps {
  readonly findings: readonly ProjectedFinding[];
  readonly chosen: readonly string[];
  readonly change: (action: PolicyAction) => void;
}

export function FindingChoice({ findings, chosen, change }: FindingChoiceProps) {
  const id = useId();
  const [query, setQuery] = useState('');
  const term = query.trim().toLowerCase();
  const found = useMemo(
    () => findings.filter((finding) => `${finding.id} ${finding.title}`.toLowerCase().includes(term)),
    [findings, term],
  );
  const listed = new Set(chosen);
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="pb-1 font-strong">Selected: {counted(chosen.length, 'finding')}</legend>
      <label htmlFor={id} className="sr-only">
        Search findings
      </label>
      <input
        id={id}
        type="search"
        value={query}
        placeholder="Search findings"
        onChange={({ currentTarget }) => setQuery(currentTarget.value)}
        className={inputShape}
      />
      <ul className="max-h-64 overflow-y-auto">
        {found.slice(0, SHOWN_MAX).map((finding) => (
          <li key={finding.id}>
            <label className="flex items-start gap-2 py-1">
              <input
                type="checkbox"
                checked={listed.has(finding.id)}
                onChange={({ currentTarget }) =>
                  change({ type: 'finding', id: finding.id, isListed: currentTarget.checked })
                }
                className="mt-0.5 size-4 shrink-0 accent-accent"
              />
              <SeverityMark severity={finding.severity} />
              <span className="min-w-0" dir="auto">
                {finding.title}
              </span>
            </label>
          </li>
        ))}
      </ul>
      {found.length > SHOWN_MAX ? (
        <p className="text-small text-quiet">
          Showing the first {SHOWN_MAX} of {found.length.toLocaleString('en')}. Search to find the others.
        </p>
      ) : null}
    </fieldset>
  );
}
