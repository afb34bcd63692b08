/**
 * Sets the status of one or several findings. Those set aside can get a reason and a note, accepted risks also an end.
 */
import type { DecisionReason, FindingStatus } from '@svc/contract';
import { decisionReasons } from '@svc/contract/enums';
import { limits } from '@svc/contract/limits';
import { isSetAside } from '@svc/contract/status-moves';
import { enumLabels, labelOf } from '@svc/report/reading/labels';
import { useState } from 'react';
import { counted } from '../../lib/format.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { SelectField, TextArea } from '../../ui/field.tsx';
import { Form, SubmitButton, type Fields } from '../../ui/form.tsx';
import { RadioChips } from '../../ui/radio-chips.tsx';
import { UntilField, untilIn } from './until-field.tsx';
import { canBecome, movesOfAll, type Decidable, type NewDecision } from './triage.ts';

export interface SetStatusDialogProps {
  readonly isOpen: boolean;
  readonly findings: readonly Decidable[];
  /** The status that is selected at first. */
  readonly first: FindingStatus | null;
  readonly onClose: () => void;
  /** The progress of the calls; empty if it is unknown. */
  readonly progress?: string;
  /** @throws the API error, which the dialog shows. */
  readonly onDecide: (decision: NewDecision) => Promise<void>;
}

export function SetStatusDialog({ isOpen, findings, onClose, ...rest }: SetStatusDialogProps) {
  const [only] = findings;
  const title =
    findings.length === 1 && only
      ? `Set status of ${only.name ?? only.id}`
      : `Set status of ${counted(findings.length, 'finding')}`;
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={title}>
      <StatusFields findings={findings} title={title} onClose={onClose} {...rest} />
    </Dialog>
  );
}

const reasons: readonly { readonly value: DecisionReason | ''; readonly label: string }[] = [
  { value: '', label: 'None given' },
  ...decisionReasons.map((value) => ({
    value,
    label: value === 'wont_fix' ? 'Won’t fix' : labelOf(value),
  })),
];

function StatusFields({
  findings,
  first,
  title,
  progress = '',
  onClose,
  onDecide,
}: Omit<SetStatusDialogProps, 'isOpen'> & { readonly title: string }) {
  const moves = movesOfAll(findings);
  const [status, setStatus] = useState(
    first ??
      moves.find((to) => findings.every((finding) => canBecome(finding, to)) && isSetAside(to)) ??
      moves[0],
  );
  const [reason, setReason] = useState<DecisionReason | ''>('');
  async function send(fields: Fields) {
    if (status === undefined) return;
    await onDecide(decisionIn(status, fields));
    onClose();
  }
  return (
    <Form onSend={send} label={title}>
      <SelectField
        label="Status"
        name="status"
        value={status}
        onChange={(event) => setStatus(moves.find((to) => to === event.currentTarget.value))}
        data-focus-first
      >
        {moves.map((to) => (
          <option key={to} value={to}>
            {optionLabel(findings, to)}
          </option>
        ))}
      </SelectField>
      {status !== undefined && isSetAside(status) ? (
        <>
          <RadioChips label="Reason" name="reason" value={reason} options={reasons} onChoose={setReason} />
          <TextArea
            label={reason === 'other' ? 'Note' : 'Note (optional)'}
            name="note"
            rows={3}
            maxLength={limits.decision.noteLengthMax}
            required={reason === 'other'}
            hint="Only members of this workspace can read it."
          />
        </>
      ) : null}
      {status === 'accepted_risk' ? <UntilField /> : null}
      <div className="flex flex-wrap items-center justify-end gap-2">
        <p role="status" className="mr-auto text-quiet nums">
          {progress}
        </p>
        <Button onClick={onClose}>Cancel</Button>
        <SubmitButton>Set status</SubmitButton>
      </div>
    </Form>
  );
}

function decisionIn(status: FindingStatus, fields: Fields): NewDecision {
  const { reason, note = '' } = fields;
  const chosen = decisionReasons.find((each) => each === reason);
  const until = untilIn(fields);
  return {
    status,
    ...(chosen && { reason: chosen }),
    ...(note.trim() === '' ? {} : { note: note.trim() }),
    ...(until !== undefined && { until }),
  };
}

/** Adds how many findings can get the status, if not all can. */
function optionLabel(findings: readonly Decidable[], to: FindingStatus): string {
  const able = findings.filter((finding) => canBecome(finding, to)).length;
  return able === findings.length ? enumLabels[to] : `${enumLabels[to]} (${able} of ${findings.length})`;
}
