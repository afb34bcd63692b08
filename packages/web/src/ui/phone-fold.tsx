/** Controls in a row, which a phone has behind one button that says how many of them are set. */
import { useId, useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import { buttonLook } from './button.tsx';
import { Chevron } from './chevron.tsx';

export interface PhoneFoldProps {
  readonly label: string;
  /** How many are set. */
  readonly count: number;
  readonly children: ReactNode;
}

export function PhoneFold({ label, count, children }: PhoneFoldProps) {
  const [isOpen, setIsOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const id = useId();
  /** A control that is open handles Escape itself. In a wide window there is nothing to close. */
  function closeOnEscape(event: KeyboardEvent): void {
    if (event.key !== 'Escape' || !isOpen || button.current?.offsetParent === null) return;
    event.stopPropagation();
    setIsOpen(false);
    button.current?.focus();
  }
  return (
    <>
      <button
        ref={button}
        type="button"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setIsOpen(!isOpen)}
        onKeyDown={closeOnEscape}
        className={`${buttonLook('plain', true)} shrink-0 sm:hidden`}
      >
        {count === 0 ? label : `${label}, ${count}`}
        <Chevron />
      </button>
      <div
        id={id}
        role="presentation"
        onKeyDown={closeOnEscape}
        className={`flex-wrap gap-x-1 max-sm:-mx-1.5 max-sm:basis-full sm:contents ${isOpen ? 'max-sm:flex' : 'max-sm:hidden'}`}
      >
        {children}
      </div>
    </>
  );
}
