/** Fields for what the viewers of a share read first: a message, and who sent it. */
import { limits } from '@svc/contract/limits';
import { Checkbox, TextArea } from '../../ui/field.tsx';
import type { LinkDraft } from './draft.ts';

export interface MessageFieldsProps {
  readonly draft: LinkDraft;
  readonly onChange: (changes: Partial<LinkDraft>) => void;
}

export function MessageFields({ draft, onChange }: MessageFieldsProps) {
  const { message, showSender, policy } = draft;
  return (
    <div className="flex flex-col gap-1">
      <TextArea
        label="Message (optional)"
        name="message"
        value={message}
        rows={3}
        maxLength={limits.share.messageLengthMax}
        onChange={({ currentTarget }) => onChange({ message: currentTarget.value })}
        hint="Viewers see it above the report and in its HTML download."
      />
      <Checkbox
        label="Show my name as the sender"
        checked={showSender}
        onChange={({ currentTarget }) => onChange({ showSender: currentTarget.checked })}
      />
      {policy.anonymize && (showSender || message.trim() !== '') ? (
        <p className="text-small text-quiet">
          Names are hidden: viewers see no sender, and names in the message are replaced.
        </p>
      ) : null}
    </div>
  );
}
