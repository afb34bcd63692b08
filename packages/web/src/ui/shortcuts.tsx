/**
 * Keyboard shortcuts without Ctrl, Alt or Meta. A shortcut is data: its component registers it while mounted, and one
 * dialog lists all registered shortcuts. None works while the user types.
 */
import { useLayoutEffect, useRef, useState, useSyncExternalStore } from 'react';
import { Dialog } from './dialog.tsx';

export interface Shortcut {
  /** The `KeyboardEvent.key`: `j`, `/`, `Escape`. A capital letter means Shift. */
  readonly key: string;
  /** What it does, as a verb. */
  readonly label: string;
  readonly run: () => void;
}

interface Registered {
  readonly shortcuts: () => readonly Shortcut[];
}

let registered: readonly Registered[] = [];
const listeners = new Set<() => void>();

function change(next: readonly Registered[]): void {
  registered = next;
  for (const listener of listeners) listener();
}

/** The shortcut registered last takes precedence. */
function handle(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target))
    return;
  const all = registered.flatMap(({ shortcuts }) => shortcuts());
  const shortcut = all.findLast(({ key }) => key === event.key);
  if (!shortcut) return;
  event.preventDefault();
  shortcut.run();
}

const WRITTEN_INTO =
  'input:not([type=checkbox], [type=radio], [type=button]), textarea, select, [contenteditable]';

function isTyping(target: EventTarget | null): boolean {
  // Shortcuts under an open dialog are off.
  if (document.querySelector('dialog[open]') !== null) return true;
  return target instanceof Element && target.closest(WRITTEN_INTO) !== null;
}

export function useShortcuts(shortcuts: readonly Shortcut[]): void {
  const latest = useRef(shortcuts);
  useLayoutEffect(() => {
    latest.current = shortcuts;
  });
  // A layout effect, so that the key works as soon as its component is visible.
  useLayoutEffect(() => {
    const mine: Registered = { shortcuts: () => latest.current };
    if (registered.length === 0) addEventListener('keydown', handle);
    change([...registered, mine]);
    return () => {
      change(registered.filter((each) => each !== mine));
      if (registered.length === 0) removeEventListener('keydown', handle);
    };
  }, []);
}

const keyNames: Readonly<Partial<Record<string, string>>> = { Escape: 'Esc' };

/** Opened by `?`; rendered once on a page that has shortcuts. */
export function ShortcutHelp() {
  const [isOpen, setIsOpen] = useState(false);
  const parts = useSyncExternalStore(listen, () => registered);
  useShortcuts([{ key: '?', label: 'Show keyboard shortcuts', run: () => setIsOpen(true) }]);
  return (
    <Dialog isOpen={isOpen} onClose={() => setIsOpen(false)} title="Keyboard shortcuts">
      <dl className="grid grid-cols-[auto_1fr] items-baseline gap-x-6 gap-y-2">
        {parts
          .flatMap(({ shortcuts }) => shortcuts())
          .map(({ key, label }) => (
            <div key={key} className="contents">
              <dt>
                <kbd className="inline-block min-w-7 rounded border border-line bg-surface px-1.5 py-0.5 text-center">
                  {key.length === 1 && key !== key.toLowerCase()
                    ? `Shift ${key.toLowerCase()}`
                    : (keyNames[key] ?? key)}
                </kbd>
              </dt>
              <dd>{label}</dd>
            </div>
          ))}
      </dl>
    </Dialog>
  );
}

function listen(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
