/** Sets the status of one or several findings. */
import type { FindingStatus, ProjectedFinding } from '@svc/contract';
import { enumLabels } from '@svc/report/reading/labels';
import { counted } from '../../lib/format.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { SelectField } from '../../ui/field.tsx';
import { Form, SubmitButton, type Fields } from '../../ui/form.tsx';
import { canBecome, movesOfAll } from './triage.ts';

export interface SetStatusDialogProps {
  readonly isOpen: boolean;
  readonly findings: readonly ProjectedFinding[];
  /** The status that is selected at first. */
  readonly first: FindingStatus | null;
  readonly onClose: () => void;
  readonly onDecide: (status: FindingStatus) => Promise<void>;
}

export function SetStatusDialog({ isOpen, findings, first, onClose, onDecide }: SetStatusDialogProps) {
  const [only] = findings;
  const title =
    findings.length === 1 && only
      ? `Set status of ${only.id}`
      : `Set status of ${counted(findings.length, 'finding')}`;
  const moves = movesOfAll(findings);
  async function send(fields: Fields) {
    const status = moves.find((each) => each === fields['status']);
    if (status === undefined) return;
    onClose();
    await onDecide(status);
  }
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={title}>
      <Form onSend={send} label={title}>
        <SelectField label="Status" name="status" defaultValue={first ?? moves[0]} data-focus-first>
          {moves.map((to) => (
            <option key={to} value={to}>
              {optionLabel(findings, to)}
            </option>
          ))}
        </SelectField>
        <div className="flex flex-wrap justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <SubmitButton>Set status</SubmitButton>
        </div>
      </Form>
    </Dialog>
  );
}

/** Says so if only some of the findings can get the status. */
function optionLabel(findings: readonly ProjectedFinding[], to: FindingStatus): string {
  const able = findings.filter((finding) => canBecome(finding, to)).length;
  return able === findings.length ? enumLabels[to] : `${enumLabels[to]} (${able} of ${findings.length})`;
}
