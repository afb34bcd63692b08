/** Fields that set who can open a share link. */
import { useId, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { inputShape } from '../../ui/field.tsx';
import { useFormState } from '../../ui/form.tsx';
import { audiences, type Audience, type LinkDraft } from './draft.ts';
import { Choices } from './choices.tsx';

export interface AudienceFieldsProps {
  readonly draft: LinkDraft;
  readonly onChange: (changes: Partial<LinkDraft>) => void;
}

export function AudienceFields({ draft, onChange }: AudienceFieldsProps) {
  const { audience, people } = draft;
  return (
    <>
      <Choices
        legend="Who can open it"
        name="audience"
        choices={audiences}
        chosen={audience}
        onChoose={(next: Audience) => onChange({ audience: next })}
      />
      <People draft={draft} onChange={onChange} />
      {people.some(({ value }) => value.includes('@')) ? (
        <p className="text-small text-quiet">
          The service does not verify email addresses. The account with this address gets access, or the first
          one created with it.{' '}
          {draft.password.kind === 'none' ? 'If a stranger could be first, require a password too.' : ''}
        </p>
      ) : null}
    </>
  );
}

function People({ draft: { audience, people }, onChange }: AudienceFieldsProps) {
  const id = useId();
  const [value, setValue] = useState('');
  const error = useFormState().issues['principals'];
  const isNeeded = audience === 'named' && people.length === 0;
  function add() {
    const given = value
      .split(/[\s,;]+/)
      .filter((each) => each !== '' && !people.some((person) => person.value === each));
    if (given.length > 0)
      onChange({ people: [...people, ...given.map((each) => ({ value: each, label: null, policy: null }))] });
    setValue('');
  }
  return (
    <div className="flex flex-col gap-1">
      <label htmlFor={id} className="font-strong">
        {audience === 'named' ? 'People' : 'Additional people (optional)'}
      </label>
      <div className="flex gap-2">
        <input
          id={id}
          name="principals"
          type="text"
          value={value}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          aria-describedby={`${id}-hint`}
          aria-invalid={error !== undefined || undefined}
          onChange={({ currentTarget }) => setValue(currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return;
            event.preventDefault();
            add();
          }}
          className={inputShape}
        />
        <Button onClick={add} disabled={value.trim() === ''} aria-describedby={`${id}-hint`}>
          Add
        </Button>
      </div>
      <p id={`${id}-hint`} className="text-small text-quiet">
        {isNeeded ? 'List who can open it. ' : ''}Enter email addresses, user IDs or workspace IDs, then
        select Add.
      </p>
      {error === undefined ? null : <p className="text-small text-danger-text">{error}</p>}
      <ul aria-label="Listed people" className="flex flex-wrap gap-1">
        {people.map((person) => (
          <li key={person.value} className="flex items-center gap-1 rounded bg-sunken pl-2">
            <span>{person.value}</span>
            <Button
              look="quiet"
              aria-label={`Remove ${person.value}`}
              onClick={() => onChange({ people: people.filter((each) => each !== person) })}
            >
              <span aria-hidden="true">✕</span>
            </Button>
          </li>
        ))}
      </ul>
    </div>
  );
}
