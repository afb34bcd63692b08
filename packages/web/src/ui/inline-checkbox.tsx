/** A checkbox without a visible label, such as in a list, for one or several things. */
import { useEffect, useRef } from 'react';

export interface InlineCheckboxProps {
  /** The accessible name. */
  readonly label: string;
  /** `some` is neither checked nor unchecked. */
  readonly state: 'none' | 'some' | 'all';
  readonly isDisabled?: boolean;
  /** Without it, a listener handles the clicks. With it, the box fills its frame. */
  readonly onToggle?: () => void;
  /** Lets a listener of the list know what was clicked, instead of `onToggle`. */
  readonly data?: Readonly<Record<`data-${string}`, string>>;
}

export function InlineCheckbox({ label, state, isDisabled = false, onToggle, data }: InlineCheckboxProps) {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (input.current) input.current.indeterminate = state === 'some';
  }, [state]);
  const box = (
    <input
      ref={input}
      type="checkbox"
      aria-label={label}
      disabled={isDisabled}
      checked={state === 'all'}
      readOnly={onToggle === undefined}
      onChange={onToggle}
      {...data}
      className="size-4 shrink-0 cursor-pointer accent-accent disabled:cursor-progress"
    />
  );
  // In a label, each click would reach the listener twice: from the label, and then from the box.
  if (onToggle === undefined) return box;
  return <label className="flex grow cursor-pointer items-center justify-center">{box}</label>;
}
