/**
 * A confirmation dialog for actions that can’t be undone or are easily started by mistake. It shows the error of a
 * failed action.
 */
import { useId, type ReactNode } from 'react';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { Form, SubmitButton, type Fields } from './form.tsx';

export interface ConfirmProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  /** A question that names the object of the action. */
  readonly title: string;
  /** A verb and its object, on the button. */
  readonly action: string;
  /** Use `primary` for actions by which nobody loses data or access. */
  readonly look?: 'danger' | 'primary';
  /** Why the action is disabled, for screen readers; a field in the dialog shows the same. */
  readonly disabledReason?: string | undefined;
  readonly onConfirm: (fields: Fields) => Promise<unknown>;
  readonly messageFor?: (error: unknown) => string | undefined;
  /** The effect of the action. */
  readonly children: ReactNode;
}

export function Confirm({
  isOpen,
  onClose,
  title,
  action,
  look = 'danger',
  disabledReason,
  onConfirm,
  messageFor,
  children,
}: ConfirmProps) {
  const id = useId();
  async function confirm(fields: Fields) {
    await onConfirm(fields);
    onClose();
  }
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={title}>
      <Form onSend={confirm} {...(messageFor && { messageFor })}>
        {children}
        <div className="flex flex-wrap justify-end gap-2">
          <Button onClick={onClose} data-focus-first>
            Cancel
          </Button>
          <SubmitButton look={look} disabled={disabledReason !== undefined} aria-describedby={id}>
            {action}
          </SubmitButton>
        </div>
        <p id={id} hidden>
          {disabledReason}
        </p>
      </Form>
    </Dialog>
  );
}
