/** A native modal dialog: the browser keeps the focus inside, reports Escape, and restores the focus afterwards. */
import { useId, useLayoutEffect, useRef, type ReactNode } from 'react';
import { Button } from './button.tsx';
import { focusOn } from './kept-focus.ts';

/** Marks the element that gets the focus when the dialog opens; the default is the first focusable one. */
const FOCUS_FIRST = 'data-focus-first';

export interface DialogProps {
  readonly isOpen: boolean;
  /** Called before Escape or the close button closes the dialog; false keeps it open. */
  readonly mayClose?: () => boolean;
  readonly onClose: () => void;
  /** Only its content can close it. */
  readonly mustStay?: boolean;
  readonly title: string;
  /** A sheet fills the right edge of the window. A box fits its content. `top` stays at the top as it grows. */
  readonly shape?: keyof typeof shapes;
  readonly children: ReactNode;
}

const shapes = {
  box: 'w-[min(32rem,calc(100vw-2rem))] max-h-[calc(100dvh-2rem)] rounded',
  top: 'mt-[10dvh] w-[min(40rem,calc(100vw-2rem))] max-h-[80dvh] rounded',
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
  // A layout effect, since the element with the focus may be removed in the same tick.
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
      // The element that opened the dialog may have been removed by the action.
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
        // The close event fires with the next frame. By then this dialog, or another with the same state, may be open
        // again.
        if (isOpen && dialog.current?.open === false) onClose();
      }}
      onCancel={(event) => {
        if (event.target !== event.currentTarget) return;
        event.preventDefault();
        ask();
      }}
      className={`bg-float p-0 shadow-float ${shapes[shape]}`}
    >
      {isOpen ? (
        <div className="flex min-h-full flex-col gap-4 p-4">
          <div className="flex items-center justify-between gap-4">
            <h2 id={titleId} className="text-title font-strong">
              {title}
            </h2>
            {mustStay ? null : (
              <Button look="quiet" onClick={ask} aria-label="Close">
                <span aria-hidden="true">✕</span>
              </Button>
            )}
          </div>
          {children}
        </div>
      ) : null}
    </dialog>
  );
}
