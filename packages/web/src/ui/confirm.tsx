/** Asks once before what can not be undone, or is easily done by mistake. What was refused is told in it. */
import { useId, type ReactNode } from 'react';
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
  /** What is still to be done in it; the field says so to the eye, and the button to screen readers. */
  readonly whyNot?: string | undefined;
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
  whyNot,
  onConfirm,
  wordsFor,
  children,
}: ConfirmProps) {
  const id = useId();
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
          <SubmitButton look={look} disabled={whyNot !== undefined} aria-describedby={id}>
            {action}
          </SubmitButton>
        </div>
        <p id={id} hidden>
          {whyNot}
        </p>
      </Form>
    </Dialog>
  );
}
