/** Until when a decision holds: one of a few periods, or a date. */
import { DAY_MS } from '@svc/contract/durations';
import { useState } from 'react';
import { SelectField, TextField } from '../../ui/field.tsx';
import type { Fields } from '../../ui/form.tsx';

const periods = [30, 90, 180, 365] as const;
const DAYS_MAX = 365;
const ON_A_DATE = 'date';

export function UntilField() {
  const [choice, setChoice] = useState('');
  return (
    <>
      <SelectField
        label="Until"
        name="until"
        hint="The finding is open again after that."
        value={choice}
        onChange={(event) => setChoice(event.currentTarget.value)}
      >
        <option value="">No end date</option>
        {periods.map((days) => (
          <option key={days} value={days}>
            {days} days
          </option>
        ))}
        <option value={ON_A_DATE}>A date…</option>
      </SelectField>
      {choice === ON_A_DATE ? (
        <TextField
          label="Last day"
          name="lastDay"
          type="date"
          required
          min={localDate(1)}
          max={localDate(DAYS_MAX)}
        />
      ) : null}
    </>
  );
}

/** @returns an ISO timestamp: for a date, the end of that day where the user is. Undefined without an end. */
export function untilIn({ until = '', lastDay = '' }: Fields): string | undefined {
  if (until === '') return undefined;
  if (until !== ON_A_DATE) return new Date(Date.now() + Number(until) * DAY_MS).toISOString();
  // Without a zone, the time is local.
  return new Date(`${lastDay}T23:59:59`).toISOString();
}

/** The date in the user's calendar after this many days, such as `2026-11-26`. */
function localDate(inDays: number): string {
  const date = new Date();
  date.setDate(date.getDate() + inDays);
  const digits = (part: number) => String(part).padStart(2, '0');
  return `${date.getFullYear()}-${digits(date.getMonth() + 1)}-${digits(date.getDate())}`;
}
