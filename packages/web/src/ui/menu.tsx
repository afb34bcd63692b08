/** A menu of actions under a button, operated with the arrow keys. A click or a focus outside closes it. */
import {
  createContext,
  useCallback,
  use,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
  type KeyboardEvent,
  type ReactNode,
} from 'react';
import { buttonLook, type ButtonProps } from './button.tsx';
import { Chevron } from './chevron.tsx';

export interface MenuProps {
  /** The text on the button. */
  readonly label: ReactNode;
  /** A tooltip, if the label does not say what the button is for. */
  readonly title?: string;
  readonly look?: ButtonProps['look'];
  /** The edge of the button that the menu aligns to. */
  readonly side?: 'start' | 'end';
  readonly children: ReactNode;
}

const CloseContext = createContext<() => void>(() => undefined);

const sides = { start: 'left-0', end: 'right-0' } as const;

export function Menu({ label, title, look = 'quiet', side = 'end', children }: MenuProps) {
  const [isOpen, setIsOpen] = useState(false);
  const frame = useRef<HTMLDivElement>(null);
  const trigger = useRef<HTMLButtonElement>(null);
  const id = useId();
  // A layout effect, so that the next key finds the focus in the menu.
  useLayoutEffect(() => {
    if (isOpen) itemsIn(frame.current)[0]?.focus();
  }, [isOpen]);
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
  const close = useCallback(() => {
    trigger.current?.focus();
    setIsOpen(false);
  }, []);
  function move(event: KeyboardEvent): void {
    if (!isOpen) {
      if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
      event.preventDefault();
      setIsOpen(true);
      return;
    }
    const all = itemsIn(frame.current);
    const next = targetOf(event.key, all.indexOf(document.activeElement as HTMLElement), all.length);
    if (event.key === 'Escape') close();
    else if (next === undefined) return;
    else all[next]?.focus();
    event.preventDefault();
    event.stopPropagation();
  }
  return (
    <CloseContext value={close}>
      <div ref={frame} role="presentation" className="relative min-w-0" onKeyDown={move}>
        <button
          ref={trigger}
          type="button"
          title={title}
          aria-haspopup="menu"
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={() => setIsOpen(!isOpen)}
          className={`${buttonLook(look)} max-w-full`}
        >
          {label}
          <Chevron />
        </button>
        <div
          id={id}
          role="menu"
          hidden={!isOpen}
          aria-label={title}
          className={`absolute z-20 mt-1 w-max max-w-[calc(100vw-2rem)] min-w-44 rounded bg-float p-1 shadow-float ${sides[side]}`}
        >
          {isOpen ? children : null}
        </div>
      </div>
    </CloseContext>
  );
}

function itemsIn(frame: HTMLElement | null): readonly HTMLElement[] {
  return [...(frame?.querySelectorAll<HTMLElement>('[role=menuitem]') ?? [])];
}

/** The index of the item that the key moves to. */
function targetOf(key: string, at: number, count: number): number | undefined {
  switch (key) {
    case 'ArrowDown':
      return (at + 1) % count;
    case 'ArrowUp':
      return (at - 1 + count) % count;
    case 'Home':
      return 0;
    case 'End':
      return count - 1;
    default:
      return undefined;
  }
}

export function MenuItem({
  onSelect,
  children,
}: {
  readonly onSelect: () => void;
  readonly children: ReactNode;
}) {
  const close = use(CloseContext);
  return (
    <button
      type="button"
      role="menuitem"
      tabIndex={-1}
      onClick={() => {
        close();
        onSelect();
      }}
      className="flex min-h-8 pointer-coarse:min-h-11 w-full items-center rounded px-2 py-1 text-left outline-none hover:bg-hover focus:bg-hover"
    >
      {children}
    </button>
  );
}
