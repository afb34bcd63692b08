/** What is pressed. Its words say what it does. */
import type { ButtonHTMLAttributes, ReactNode } from 'react';

const looks = {
  primary: 'bg-accent text-on-accent hover:not-disabled:bg-accent-strong',
  plain: 'border border-edge hover:not-disabled:bg-hover',
  quiet: 'text-quiet hover:not-disabled:bg-hover hover:not-disabled:text-text',
  danger: 'bg-danger text-on-accent hover:not-disabled:bg-danger-strong',
} as const;

export interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  readonly look?: keyof typeof looks;
  /** While what it began goes on: it can not be pressed again, and keeps the focus. */
  readonly busy?: boolean;
  readonly children: ReactNode;
}

const buttonShape =
  'inline-flex min-h-8 items-center justify-center gap-2 rounded px-3 py-1 font-strong whitespace-nowrap select-none disabled:cursor-not-allowed aria-disabled:cursor-progress aria-disabled:opacity-60 disabled:opacity-50';

export function buttonLook(look: keyof typeof looks): string {
  return `${buttonShape} ${looks[look]}`;
}

export function Button({
  look = 'plain',
  busy = false,
  type = 'button',
  className = '',
  onClick,
  ...rest
}: ButtonProps) {
  return (
    <button
      {...rest}
      type={type}
      aria-disabled={busy || undefined}
      onClick={(event) => (busy ? event.preventDefault() : onClick?.(event))}
      className={`${buttonLook(look)} ${className}`}
    />
  );
}
