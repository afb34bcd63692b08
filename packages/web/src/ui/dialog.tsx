/** A native modal dialog: the browser keeps the focus in it, closes it on Escape and gives the focus back. */
import { useId, useLayoutEffect, useRef, type ReactNode } from 'react';
import { Button } from './button.tsx';
import { focusOn } from './kept-focus.ts';

/** Marks what is to have the focus when the dialog opens; else the browser gives it to the first that takes it. */
const FOCUS_FIRST = 'data-focus-first';

export interface DialogProps {
  readonly isOpen: boolean;
  /** Asked when it is about to close by Escape or its button; false keeps it open. */
  readonly mayClose?: () => boolean;
  readonly onClose: () => void;
  /** It is closed by what is in it alone. */
  readonly mustStay?: boolean;
  readonly title: string;
  /** A sheet fills the height at the right edge; a box is as large as what it holds. */
  readonly shape?: 'box' | 'sheet';
  readonly children: ReactNode;
}

const shapes = {
  box: 'w-[min(32rem,calc(100vw-2rem))] max-h-[calc(100dvh-2rem)] rounded',
  sheet: 'mr-0 h-dvh max-h-none w-[min(64rem,100vw)] max-w-none',
} as const;

export function Dialog({
  isOpen,
  mayClose,
  onClose,
  mustStay = false,
  title,
  shape = 'box',
  children,
}: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  // Before anything else looks at where the focus is: what had it goes away in the same turn.
  useLayoutEffect(() => {
    const element = dialog.current;
    if (!element || element.open === isOpen) return;
    if (isOpen) {
      element.showModal();
      element.querySelector<HTMLElement>(`[${FOCUS_FIRST}]`)?.focus();
    } else {
      element.close();
      const holder = document.activeElement;
      const isLost = holder === document.body || element.contains(holder);
      // What had opened it went away with what was done in it.
      if (isLost && element.parentElement) focusOn(element.parentElement);
    }
  }, [isOpen]);
  const ask = () => {
    if (!mustStay && mayClose?.() !== false) dialog.current?.close();
  };
  return (
    <dialog
      ref={dialog}
      aria-labelledby={titleId}
      onClose={() => {
        // Told with the next picture. By then it may be open again, or another that shares its state.
        if (isOpen && dialog.current?.open === false) onClose();
      }}
      onCancel={(event) => {
        if (event.target !== event.currentTarget) return;
        event.preventDefault();
        ask();
      }}
      className={`bg-page p-0 shadow-float ${shapes[shape]}`}
    >
      {isOpen ? (
        <div className="flex min-h-full flex-col gap-4 p-4">
          <header className="flex items-center justify-between gap-4">
            <h2 id={titleId} className="text-lead font-strong">
              {title}
            </h2>
            {mustStay ? null : (
              <Button look="quiet" onClick={ask} aria-label="Close">
                <span aria-hidden="true">✕</span>
              </Button>
            )}
          </header>
          {children}
        </div>
      ) : null}
    </dialog>
  );
}
