/** The form of a new or stored share: audience, policy, expiry and password, with a preview. */
import type { Share } from '@svc/contract';
import { useId, useLayoutEffect, useState } from 'react';
import { Button, buttonLook } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { Form, SubmitButton } from '../../ui/form.tsx';
import { AudienceFields } from './audience-fields.tsx';
import { changesOf } from './changes.ts';
import type { LinkDraft } from './draft.ts';
import type { Findings } from './findings.ts';
import { EndFields } from './end-fields.tsx';
import { PolicyFields } from './policy-fields.tsx';
import { MessageFields } from './message-fields.tsx';
import { LinkPreview } from './link-preview.tsx';
import { sentenceOf } from './sentence.ts';
import type { Viewer } from './viewer.ts';

export interface LinkFormProps {
  readonly reportId: string;
  readonly findings: Findings;
  /** Null for a new share. */
  readonly share: Share | null;
  readonly from: (now: Date) => LinkDraft;
  readonly hasLinks: boolean;
  readonly onSend: (draft: LinkDraft) => Promise<void>;
  readonly onEdited: (isUnsaved: boolean) => void;
  readonly onBack: () => void;
}

export function LinkForm({
  reportId,
  findings,
  share,
  from,
  hasLinks,
  onSend,
  onEdited,
  onBack,
}: LinkFormProps) {
  const [start] = useState(() => from(new Date()));
  const [draft, setDraft] = useState(start);
  const [chosen, setChosen] = useState<Viewer>(null);
  // A person who is no longer listed has no separate view.
  const viewer = draft.people.some(({ value }) => value === chosen) ? chosen : null;
  const isEdited = JSON.stringify(draft) !== JSON.stringify(start);
  // A layout effect, so that a quick Escape after the first character does not close the sheet.
  useLayoutEffect(() => onEdited(isEdited), [isEdited, onEdited]);
  const set = (changes: Partial<LinkDraft>) => setDraft((before) => ({ ...before, ...changes }));
  const changes = share ? changesOf(share, draft) : null;
  const disabledReason = missingInput(draft) ?? (changes?.list.length === 0 ? 'No changes yet.' : undefined);
  const disabledReasonId = useId();
  const previewId = useId();
  return (
    <div className="grid gap-6 lg:grid-cols-2 lg:items-start">
      <Form
        label={share ? 'Edit share link' : 'New share link'}
        onSend={() => onSend(draft)}
        className="min-w-0"
      >
        <PolicyFields
          draft={draft}
          findings={findings}
          viewer={viewer}
          onViewer={setChosen}
          onChange={setDraft}
        />
        <AudienceFields draft={draft} onChange={set} />
        <EndFields draft={draft} onChange={set} />
        <MessageFields draft={draft} onChange={set} />
        <TextField
          label="Label (optional)"
          name="label"
          value={draft.label}
          maxLength={80}
          onChange={({ currentTarget }) => set({ label: currentTarget.value })}
          hint="Viewers never see it."
        />
        {changes && changes.list.length > 0 ? <ChangeList changes={changes.list} /> : null}
        {/* On a phone only the buttons stay in view; the sentence would cover half of the form. */}
        <div className="flex flex-col gap-2 border-line bg-page max-lg:contents lg:sticky lg:bottom-0 lg:-mx-4 lg:-mb-4 lg:border-t lg:px-4 lg:py-3">
          <p role="status">{sentenceOf(draft, findings)}</p>
          <p id={disabledReasonId} hidden={disabledReason === undefined} className="text-quiet">
            {disabledReason}
          </p>
          <div className="flex flex-wrap gap-2 max-lg:sticky max-lg:bottom-0 max-lg:-mx-4 max-lg:-mb-4 max-lg:border-t max-lg:border-line max-lg:bg-page max-lg:px-4 max-lg:py-3">
            <SubmitButton disabled={disabledReason !== undefined} aria-describedby={disabledReasonId}>
              {share ? 'Save changes' : 'Create share link'}
            </SubmitButton>
            <a href={`#${previewId}`} className={`${buttonLook('plain')} lg:hidden`}>
              Show preview
            </a>
            {hasLinks ? (
              <Button onClick={onBack}>{share ? 'Discard changes' : 'Show all share links'}</Button>
            ) : null}
          </div>
        </div>
      </Form>
      <LinkPreview id={previewId} reportId={reportId} draft={draft} share={share} viewer={viewer} />
    </div>
  );
}

/** What is missing before the form can be sent; undefined if complete. */
function missingInput({ audience, people, password, expiresAt }: LinkDraft): string | undefined {
  if (audience === 'named' && people.length === 0) return 'Add at least one person.';
  if (expiresAt !== '' && Number.isNaN(Date.parse(expiresAt))) return 'Choose when the share link expires.';
  if (password.kind === 'new' && password.text === '') return 'Enter a password.';
  return undefined;
}

function ChangeList({ changes }: { readonly changes: ReturnType<typeof changesOf>['list'] }) {
  return (
    <table className="w-full text-left">
      <caption className="pb-1 text-left font-strong">Changes</caption>
      <thead className="text-small text-quiet">
        <tr>
          <th className="py-1 pr-3 font-normal">Setting</th>
          <th className="py-1 pr-3 font-normal">Before</th>
          <th className="py-1 font-normal">After</th>
        </tr>
      </thead>
      <tbody>
        {changes.map(({ what, before, after }) => (
          <tr key={what} className="border-t border-line align-top">
            <th scope="row" className="py-1 pr-3 font-normal">
              {what}
            </th>
            <td className="py-1 pr-3 text-quiet">{before}</td>
            <td className="py-1">{after}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
