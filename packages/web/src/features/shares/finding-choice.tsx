/** Findings that a view names one by one, found by their words. */
import type { ProjectedFinding } from '@svc/contract';
import { useDeferredValue, useId, useMemo, useState } from 'react';
import { counted } from '../../lib/words.ts';
import { inputShape } from '../../ui/field.tsx';
import { SeverityMark } from '../../ui/severity.tsx';
import type { PolicyAction } from './policy.ts';

/** More than anybody goes through; a word more finds the others. */
const SHOWN_MAX = 100;

export interface FindingChoiceProps {
  readonly findings: readonly ProjectedFinding[];
  readonly chosen: readonly string[];
  readonly change: (action: PolicyAction) => void;
}

export function FindingChoice({ findings, chosen, change }: FindingChoiceProps) {
  const id = useId();
  const [words, setWords] = useState('');
  const wanted = useDeferredValue(words.trim().toLowerCase());
  const found = useMemo(
    () => findings.filter((finding) => `${finding.id} ${finding.title}`.toLowerCase().includes(wanted)),
    [findings, wanted],
  );
  const listed = new Set(chosen);
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="pb-1 font-strong">Chosen: {counted(chosen.length, 'finding')}</legend>
      <label htmlFor={id} className="sr-only">
        Find a finding by its words
      </label>
      <input
        id={id}
        type="search"
        value={words}
        placeholder="Find by words"
        onChange={({ currentTarget }) => setWords(currentTarget.value)}
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
          The first {SHOWN_MAX} of {found.length.toLocaleString('en')}. Find the others by their words.
        </p>
      ) : null}
    </fieldset>
  );
}
