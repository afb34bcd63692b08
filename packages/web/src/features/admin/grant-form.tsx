/** Creates a support grant: report, reason, lifetime, and the password as proof. */
import { MINUTE_MS } from '@svc/contract/durations';
import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { SupportGrant } from '@svc/contract';
import { limits } from '@svc/contract/limits';
import { useState } from 'react';
import { ask, isApiError, queryKey } from '../../lib/api.ts';
import { PasswordField, SelectField, TextArea, TextField } from '../../ui/field.tsx';
import { Form, SubmitButton, type Fields } from '../../ui/form.tsx';
import { Notice } from '../../ui/notice.tsx';

const { reasonLengthMin, reasonLengthMax } = limits.supportGrant;

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
    // Based on the service's clock: a client clock that is ahead would exceed the maximum lifetime.
    const { at } = await ask('getAdminOverview');
    const expiresAt = new Date(Date.parse(at) + Number(span)).toISOString();
    const body = { reportId: idOf(id), reason, expiresAt, password };
    const { grant } = await ask('createSupportGrant', { body });
    // Not awaited, so that the form is cleared and its notice appears in one step.
    void queries.invalidateQueries({ queryKey: queryKey('listSupportGrants') });
    setMade(grant);
    setReason('');
  }
  return (
    <Form onSend={make} messageFor={messageFor} clears label="New support grant" className="max-w-xl">
      <TextField
        label="Report ID"
        name="reportId"
        defaultValue={reportId}
        autoComplete="off"
        spellCheck={false}
        required
        hint="You can also paste the report URL: …/reports/rep_…"
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
      <SelectField label="Expires" name="expiresAt" defaultValue={spans[0][0]}>
        {spans.map(([span, words]) => (
          <option key={span} value={span}>
            in {words}
          </option>
        ))}
      </SelectField>
      <PasswordField label="Your password" name="password" autoComplete="current-password" required />
      <div>
        <SubmitButton>Create support grant</SubmitButton>
      </div>
      {made ? <Made grant={made} /> : null}
    </Form>
  );
}

/** Extracts the id, since people paste whole URLs. */
function idOf(text: string): string {
  return /rep_\w+/.exec(text)?.[0] ?? text.trim();
}

/** Counts as the service does: code points of the trimmed text. */
function lengthOf(reason: string): number {
  return [...reason.trim()].length;
}

function ReasonHint({ length }: { readonly length: number }) {
  const isOff = length > 0 && (length < reasonLengthMin || length > reasonLengthMax);
  return (
    <>
      The owner of the report sees this text and the time of each access.{' '}
      <span className={`nums ${isOff ? 'text-danger-text' : ''}`}>
        {length.toLocaleString('en')} of {reasonLengthMin} to {reasonLengthMax.toLocaleString('en')}{' '}
        characters.
      </span>
    </>
  );
}

function Made({ grant: { reportId } }: { readonly grant: SupportGrant }) {
  return (
    <Notice tone="good" title="Support grant created">
      <p>
        <Link
          to="/admin/reports/$id"
          params={{ id: reportId }}
          className="text-accent-text underline underline-offset-2"
        >
          Open the report
        </Link>
        . Its owner sees each access.
      </p>
    </Notice>
  );
}

function messageFor(error: unknown): string | undefined {
  if (isApiError(error, 'NOT_FOUND'))
    return 'No report has this ID. Check it with the person who asked for help.';
  return isApiError(error, 'REPORT_EXPIRED')
    ? 'This report has expired or was deleted. Its content can’t be recovered.'
    : undefined;
}
