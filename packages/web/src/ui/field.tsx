/** Labelled inputs with a hint and an error. */
import {
  useId,
  useState,
  type InputHTMLAttributes,
  type ReactNode,
  type SelectHTMLAttributes,
  type TextareaHTMLAttributes,
} from 'react';
import { useFormState } from './form.tsx';

interface FieldProps {
  readonly label: string;
  /** The name of the field in API errors. */
  readonly name: string;
  readonly hint?: ReactNode;
}

export const inputShape =
  'w-full min-h-9 pointer-coarse:min-h-11 rounded border border-edge bg-field px-2.5 py-1.5 aria-invalid:border-danger-text disabled:opacity-60';

export function TextField({
  label,
  hint,
  className = '',
  ...input
}: FieldProps & InputHTMLAttributes<HTMLInputElement>) {
  const id = useId();
  const error = useFormState().issues[input.name];
  return (
    <FieldFrame id={id} label={label} hint={hint} error={error} className={className}>
      <input {...input} id={id} className={inputShape} {...described(id, hint, error)} />
    </FieldFrame>
  );
}

export function TextArea({ label, hint, ...area }: FieldProps & TextareaHTMLAttributes<HTMLTextAreaElement>) {
  const id = useId();
  const error = useFormState().issues[area.name];
  return (
    <FieldFrame id={id} label={label} hint={hint} error={error}>
      <textarea {...area} id={id} className={inputShape} {...described(id, hint, error)} />
    </FieldFrame>
  );
}

/** The user can show the password, so that it need not be typed twice. */
export function PasswordField({ label, hint, ...input }: FieldProps & InputHTMLAttributes<HTMLInputElement>) {
  const id = useId();
  const error = useFormState().issues[input.name];
  const [isShown, setIsShown] = useState(false);
  return (
    <FieldFrame id={id} label={label} hint={hint} error={error}>
      <div className="relative">
        <input
          {...input}
          id={id}
          type={isShown ? 'text' : 'password'}
          autoCapitalize="none"
          autoCorrect="off"
          spellCheck={false}
          className={`${inputShape} pr-16`}
          {...described(id, hint, error)}
        />
        <button
          type="button"
          aria-controls={id}
          aria-label={`${isShown ? 'Hide' : 'Show'} ${label.toLowerCase()}`}
          onClick={() => setIsShown(!isShown)}
          className="absolute inset-y-1 right-1 rounded px-2 pointer-coarse:inset-y-0 pointer-coarse:px-3 text-small text-quiet hover:bg-hover hover:text-text"
        >
          {isShown ? 'Hide' : 'Show'}
        </button>
      </div>
    </FieldFrame>
  );
}

export function SelectField({
  label,
  hint,
  children,
  ...select
}: FieldProps & SelectHTMLAttributes<HTMLSelectElement>) {
  const id = useId();
  const error = useFormState().issues[select.name];
  return (
    <FieldFrame id={id} label={label} hint={hint} error={error}>
      <select {...select} id={id} className={inputShape} {...described(id, hint, error)}>
        {children}
      </select>
    </FieldFrame>
  );
}

export function Checkbox({
  label,
  ...input
}: { readonly label: ReactNode } & InputHTMLAttributes<HTMLInputElement>) {
  return (
    <label className="flex items-start gap-2 py-1 pointer-coarse:py-3">
      <input {...input} type="checkbox" className="mt-0.5 size-4 shrink-0 accent-accent" />
      <span>{label}</span>
    </label>
  );
}

function described(id: string, hint: ReactNode, error: string | undefined) {
  const ids = [hint ? `${id}-hint` : '', error ? `${id}-error` : ''].filter(Boolean).join(' ');
  return { 'aria-invalid': error !== undefined || undefined, 'aria-describedby': ids || undefined };
}

interface FieldFrameProps {
  readonly id: string;
  readonly label: string;
  readonly hint: ReactNode;
  readonly error: string | undefined;
  readonly className?: string;
  readonly children: ReactNode;
}

function FieldFrame({ id, label, hint, error, className = '', children }: FieldFrameProps) {
  return (
    <div className={`flex flex-col gap-1 ${className}`}>
      <label htmlFor={id} className="font-strong">
        {label}
      </label>
      {children}
      {hint ? (
        <p id={`${id}-hint`} className="text-small text-quiet">
          {hint}
        </p>
      ) : null}
      {error ? (
        <p id={`${id}-error`} className="text-small text-danger-text">
          {error}
        </p>
      ) : null}
    </div>
  );
}
