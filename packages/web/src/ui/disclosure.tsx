/** A button with a panel under it. Escape, a click outside, or moving the focus outside closes the panel. */
import { useEffect, useId, useRef, useState, type ReactNode } from 'react';
import { buttonLook } from './button.tsx';
import { Chevron } from './chevron.tsx';

export interface DisclosureProps {
  readonly label: ReactNode;
  /** The edge of the button that the panel aligns to. */
  readonly side?: 'start' | 'end';
  readonly isCompact?: boolean;
  readonly className?: string;
  /** Rendered only while open. */
  readonly children: (close: () => void) => ReactNode;
}

/** On a phone, the panel has the width of the window. */
const sides = { start: 'sm:left-0', end: 'sm:right-0' } as const;

export function Disclosure({
  label,
  side = 'start',
  isCompact = false,
  className = '',
  children,
}: DisclosureProps) {
  const [isOpen, setIsOpen] = useState(false);
  const frame = useRef<HTMLDivElement>(null);
  const id = useId();
  useEffect(() => {
    if (!isOpen) return undefined;
    const leave = (event: Event) => {
      if (event.target instanceof Node && frame.current?.contains(event.target) !== true) setIsOpen(false);
    };
    document.addEventListener('pointerdown', leave);
    document.addEventListener('focusin', leave);
    return () => {
      document.removeEventListener('pointerdown', leave);
      document.removeEventListener('focusin', leave);
    };
  }, [isOpen]);
  const close = () => {
    setIsOpen(false);
    document.getElementById(`${id}-button`)?.focus();
  };
  return (
    <div
      ref={frame}
      role="presentation"
      className="min-w-0 sm:relative"
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || !isOpen) return;
        event.stopPropagation();
        close();
      }}
    >
      <button
        id={`${id}-button`}
        type="button"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setIsOpen(!isOpen)}
        className={`${buttonLook('quiet', isCompact)} max-w-full ${className}`}
      >
        {label}
        <Chevron />
      </button>
      <div
        id={id}
        hidden={!isOpen}
        className={`absolute z-20 mt-1 max-h-80 w-max max-w-[min(24rem,calc(100vw-2rem))] min-w-44 overflow-y-auto rounded bg-float p-1 shadow-float max-sm:inset-x-4 max-sm:w-auto max-sm:max-w-none ${sides[side]}`}
      >
        {isOpen ? children(close) : null}
      </div>
    </div>
  );
}
