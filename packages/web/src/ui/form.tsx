/**
 * A form that sends an API call. It can’t be submitted again while the call runs. Errors appear at their field, or
 * else at the end of the form, and no input is lost.
 */
import { createContext, use, useRef, useState, type ReactNode, type SubmitEvent } from 'react';
import { issuesOf, type FieldIssues } from '../lib/issues.ts';
import { Button, type ButtonProps } from './button.tsx';
import { messageOf } from './failure.tsx';
import { Notice } from './notice.tsx';

interface FormState {
  readonly issues: FieldIssues;
  /** Null while there is no error. */
  readonly error: unknown;
  /** The error is shown at its fields. */
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
  /** Overrides the message of an error; undefined keeps the default. */
  readonly messageFor?: (error: unknown) => string | undefined;
  readonly label?: string;
  /** Clears the form after a successful submit. */
  readonly clears?: boolean;
  readonly className?: string;
  readonly children: ReactNode;
}

export function Form({ onSend, messageFor, label, clears = false, className = '', children }: FormProps) {
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
            <p>{messageFor?.(state.error) ?? messageOf(state.error)}</p>
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

/** Returns true if the form has a field with an issue. */
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
