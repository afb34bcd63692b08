/** Asking for a support grant: for which report, what for, how long, and the password as a proof. */
import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { SupportGrant } from '@svc/contract';
import { limits } from '@svc/contract/limits';
import { useState } from 'react';
import { ask, isRefusal, queryKey } from '../../lib/api.ts';
import { PasswordField, SelectField, TextArea, TextField } from '../../ui/field.tsx';
import { Form, SubmitButton, type Fields } from '../../ui/form.tsx';
import { Notice } from '../../ui/notice.tsx';

const { reasonLengthMin, reasonLengthMax } = limits.supportGrant;
const MINUTE_MS = 60_000;

const spans = [
  [15 * MINUTE_MS, '15 minutes'],
  [60 * MINUTE_MS, '1 hour'],
  [240 * MINUTE_MS, '4 hours'],
] as const;

export function GrantForm({ reportId = '' }: { readonly reportId?: string | undefined }) {
  const queries = useQueryClient();
  const [reason, setReason] = useState('');
  const [made, setMade] = useState<SupportGrant | null>(null);
  async function make({ reportId: id = '', expiresAt: span = '', password = '' }: Fields) {
    setMade(null);
    // Counted from the service's own clock: another one that is ahead would ask for more than there is.
    const { at } = await ask('getAdminOverview');
    const expiresAt = new Date(Date.parse(at) + Number(span)).toISOString();
    const body = { reportId: idOf(id), reason, expiresAt, password };
    const { grant } = await ask('createSupportGrant', { body });
    // What follows is not waited for: the form is told of and cleared in one step.
    void queries.invalidateQueries({ queryKey: queryKey('listSupportGrants') });
    setMade(grant);
    setReason('');
  }
  return (
    <Form onSend={make} wordsFor={wordsFor} clears label="Make a support grant" className="max-w-xl">
      <TextField
        label="Id of the report"
        name="reportId"
        defaultValue={reportId}
        autoComplete="off"
        spellCheck={false}
        required
        hint="Or the address of the report: …/reports/rep_…"
      />
      <TextArea
        label="Reason"
        name="reason"
        rows={4}
        required
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
        hint={<ReasonHint length={lengthOf(reason)} />}
      />
      <SelectField label="Until" name="expiresAt" defaultValue={spans[0][0]}>
        {spans.map(([span, words]) => (
          <option key={span} value={span}>
            {words} from now
          </option>
        ))}
      </SelectField>
      <PasswordField label="Your password" name="password" autoComplete="current-password" required />
      <div>
        <SubmitButton>Make the grant</SubmitButton>
      </div>
      {made ? <Made grant={made} /> : null}
    </Form>
  );
}

/** People paste the whole address. */
function idOf(text: string): string {
  return /rep_\w+/.exec(text)?.[0] ?? text.trim();
}

/** As the service counts: characters, without the space at both ends. */
function lengthOf(reason: string): number {
  return [...reason.trim()].length;
}

function ReasonHint({ length }: { readonly length: number }) {
  const isOff = length > 0 && (length < reasonLengthMin || length > reasonLengthMax);
  return (
    <>
      The owner of the report will read this word for word, with the time of each access.{' '}
      <span className={`nums ${isOff ? 'text-danger-text' : ''}`}>
        {length.toLocaleString('en')} of {reasonLengthMin} to {reasonLengthMax.toLocaleString('en')}{' '}
        characters.
      </span>
    </>
  );
}

function Made({ grant: { reportId } }: { readonly grant: SupportGrant }) {
  return (
    <Notice tone="good" title="The grant is in force.">
      <p>
        <Link
          to="/admin/reports/$id"
          params={{ id: reportId }}
          className="text-accent-text underline underline-offset-2"
        >
          Open the report
        </Link>
        , which its owner is told.
      </p>
    </Notice>
  );
}

function wordsFor(error: unknown): string | undefined {
  if (isRefusal(error, 'NOT_FOUND'))
    return 'There is no report of this id. Check it with whoever asked for help.';
  return isRefusal(error, 'REPORT_EXPIRED')
    ? 'This report has expired or was deleted: there is nothing left to read.'
    : undefined;
}
