/** Asks once before what can not be undone, or is easily done by mistake. What was refused is told in it. */
import type { ReactNode } from 'react';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { Form, SubmitButton, type Fields } from './form.tsx';

export interface ConfirmProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  /** A question that names the thing. */
  readonly title: string;
  /** A verb and its object, on the button. */
  readonly action: string;
  /** Of what takes nothing away. */
  readonly look?: 'danger' | 'primary';
  /** False while something in it is still to be filled in, which it says. */
  readonly isReady?: boolean;
  readonly onConfirm: (fields: Fields) => Promise<unknown>;
  readonly wordsFor?: (error: unknown) => string | undefined;
  /** What will be so afterwards. */
  readonly children: ReactNode;
}

export function Confirm({
  isOpen,
  onClose,
  title,
  action,
  look = 'danger',
  isReady = true,
  onConfirm,
  wordsFor,
  children,
}: ConfirmProps) {
  async function confirm(fields: Fields) {
    await onConfirm(fields);
    onClose();
  }
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={title}>
      <Form onSend={confirm} {...(wordsFor && { wordsFor })}>
        {children}
        <div className="flex flex-wrap justify-end gap-2">
          <Button onClick={onClose} data-focus-first>
            Cancel
          </Button>
          <SubmitButton look={look} disabled={!isReady}>
            {action}
          </SubmitButton>
        </div>
      </Form>
    </Dialog>
  );
}
