/** A button. Its label is a verb. */
import type { ButtonHTMLAttributes, ReactNode } from 'react';

const looks = {
  primary: 'bg-accent text-on-accent hover:not-disabled:bg-accent-strong',
  plain: 'border border-edge hover:not-disabled:bg-hover',
  quiet: 'text-quiet hover:not-disabled:bg-hover hover:not-disabled:text-text',
  /** For a button within a line of text, such as an id that can be copied. */
  inline: 'text-quiet hover:not-disabled:bg-hover hover:not-disabled:text-text',
  danger: 'bg-danger text-on-accent hover:not-disabled:bg-danger-strong',
} as const;

export interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  readonly look?: keyof typeof looks;
  /** While the action runs, the button can’t be pressed again but keeps the focus. */
  readonly busy?: boolean;
  readonly isCompact?: boolean;
  readonly children: ReactNode;
}

const behaviour =
  'inline-flex items-center justify-center gap-2 rounded disabled:cursor-not-allowed aria-disabled:cursor-progress aria-disabled:opacity-60 disabled:opacity-50';
// A finger needs 44 pixels.
const usualSize = 'min-h-8 pointer-coarse:min-h-11 py-1 font-strong whitespace-nowrap select-none';
const inlineSize = '-mx-1 min-h-6 px-1 text-left';

/** @param isCompact with less space at its sides, for rows of several buttons. */
export function buttonLook(look: keyof typeof looks = 'plain', isCompact = false): string {
  const size = look === 'inline' ? inlineSize : `${usualSize} ${isCompact ? 'px-1.5' : 'px-3'}`;
  return `${behaviour} ${size} ${looks[look]}`;
}

export function Button({
  look = 'plain',
  busy = false,
  isCompact = false,
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
      className={`${buttonLook(look, isCompact)} ${className}`}
    />
  );
}
