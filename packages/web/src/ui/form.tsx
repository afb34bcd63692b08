/**
 * A form that is sent by a call. While the call is under way it can not be sent again; what was refused is told at the
 * field that it is about, or else above the button, and nothing that was typed is lost.
 */
import { createContext, use, useRef, useState, type ReactNode, type SubmitEvent } from 'react';
import { issuesOf, type FieldIssues } from '../lib/issues.ts';
import { Button, type ButtonProps } from './button.tsx';
import { messageOf } from './failure.tsx';
import { Notice } from './notice.tsx';

interface FormState {
  readonly issues: FieldIssues;
  /** Null while there is none. */
  readonly error: unknown;
  /** Every part of it is told at a field. */
  readonly isAboutFields: boolean;
  readonly isBusy: boolean;
}

const idle: FormState = { issues: {}, error: null, isAboutFields: false, isBusy: false };
const FormContext = createContext<FormState>(idle);

export function useFormState(): FormState {
  return use(FormContext);
}

export type Fields = Readonly<Record<string, string>>;

export interface FormProps {
  readonly onSend: (fields: Fields) => Promise<void>;
  /** Words of this form's own for a refusal; undefined leaves them to the service. */
  readonly wordsFor?: (error: unknown) => string | undefined;
  readonly label?: string;
  /** Nothing that was typed stays once it was sent. */
  readonly clears?: boolean;
  readonly className?: string;
  readonly children: ReactNode;
}

export function Form({ onSend, wordsFor, label, clears = false, className = '', children }: FormProps) {
  const [state, setState] = useState(idle);
  const form = useRef<HTMLFormElement>(null);
  async function send(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    if (state.isBusy) return;
    setState({ ...idle, isBusy: true });
    try {
      await onSend(fieldsOf(event.currentTarget));
      setState(idle);
      if (clears) form.current?.reset();
    } catch (error) {
      const issues = issuesOf(error);
      const named = focusFirst(form.current, issues);
      setState({ issues, error, isAboutFields: named, isBusy: false });
    }
  }
  return (
    <FormContext value={state}>
      <form
        ref={form}
        noValidate
        aria-label={label}
        onSubmit={(event) => void send(event)}
        className={`flex flex-col gap-4 ${className}`}
      >
        {children}
        {state.error !== null && !state.isAboutFields ? (
          <Notice tone="danger">
            <p>{wordsFor?.(state.error) ?? messageOf(state.error)}</p>
          </Notice>
        ) : null}
      </form>
    </FormContext>
  );
}

function fieldsOf(form: HTMLFormElement): Fields {
  const entries = [...new FormData(form)].map(([name, value]) => [
    name,
    typeof value === 'string' ? value : '',
  ]);
  return Object.fromEntries(entries) as Fields;
}

/** @returns whether there is such a field. */
function focusFirst(form: HTMLFormElement | null, issues: FieldIssues): boolean {
  const first = [...(form?.elements ?? [])].find((element) => (element.getAttribute('name') ?? '') in issues);
  if (!(first instanceof HTMLElement)) return false;
  first.focus();
  return true;
}

export function SubmitButton({ look = 'primary', children, ...button }: ButtonProps) {
  const { isBusy } = useFormState();
  return (
    <Button {...button} type="submit" look={look} busy={isBusy}>
      {children}
    </Button>
  );
}
