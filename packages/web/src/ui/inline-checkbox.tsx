/** A checkbox without a visible label, such as in a list, for one or several things. */
import { useEffect, useRef } from 'react';

export interface InlineCheckboxProps {
  /** The accessible name. */
  readonly label: string;
  /** `some` is neither checked nor unchecked. */
  readonly state: 'none' | 'some' | 'all';
  readonly isDisabled?: boolean;
  readonly onToggle?: () => void;
  /** Lets a listener of the list know what was clicked, instead of `onToggle`. */
  readonly data?: Readonly<Record<`data-${string}`, string>>;
}

export function InlineCheckbox({ label, state, isDisabled = false, onToggle, data }: InlineCheckboxProps) {
  const box = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (box.current) box.current.indeterminate = state === 'some';
  }, [state]);
  return (
    <input
      ref={box}
      type="checkbox"
      aria-label={label}
      disabled={isDisabled}
      checked={state === 'all'}
      readOnly={onToggle === undefined}
      onChange={onToggle}
      {...data}
      className="size-4 cursor-pointer accent-accent disabled:cursor-progress"
    />
  );
}
