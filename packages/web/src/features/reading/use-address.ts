/**
 * The URL as state. It uses the browser's history directly, so it works with and without a router. Typing replaces
 * the entry, selecting adds one, and Back restores an entry as it was left.
 */
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { addressIn, searchWith, type Address } from './address.ts';

/** Browsers limit the rate of URL changes. */
const WRITTEN_AFTER_MS = 250;

export interface AddressState {
  readonly address: Address;
  /** Used for typing and filters: keeps the history entry. */
  readonly replace: (changes: Partial<Address>) => void;
  /** Used for selecting: adds a history entry. */
  readonly push: (changes: Partial<Address>) => void;
}

/** The scroll positions of each history entry: of the page, and of the list where it scrolls alone. */
const scrollPositions = new Map<string, readonly [page: number, list: number]>();

function scroller(): Element | null {
  return document.querySelector('[data-list-scroller]');
}

function notePlace(key: string): void {
  scrollPositions.set(key, [scrollY, scroller()?.scrollTop ?? 0]);
}

interface Marked {
  /** Marks entries whose scroll position is restored here; the router ignores them. */
  readonly reading?: string;
  /** The previous entry is the list from which the finding was opened. */
  readonly isOpened?: boolean;
}

const stateOf = () => (history.state ?? {}) as Marked;

function write(how: 'push' | 'replace', address: Address, isOpened = false): void {
  const url = location.pathname + searchWith(location.search, address) + location.hash;
  if (how === 'replace') {
    if (url !== location.pathname + location.search + location.hash)
      history.replaceState(history.state, '', url);
    return;
  }
  const key = stateOf().reading ?? crypto.getRandomValues(new Uint32Array(2)).join('-');
  notePlace(key);
  // Bypasses the router, which need not know about this note.
  History.prototype.replaceState.call(history, { ...stateOf(), reading: key }, '');
  const next = crypto.getRandomValues(new Uint32Array(2)).join('-');
  history.pushState({ ...stateOf(), reading: next, isOpened }, '', url);
}

export function useAddress(): AddressState {
  const [address, setAddress] = useState(() => addressIn(location.search));
  const latest = useRef(address);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);

  function writeNow(): void {
    if (timer.current === undefined) return;
    clearTimeout(timer.current);
    timer.current = undefined;
    write('replace', latest.current);
  }

  useEffect(() => {
    const follow = () => {
      clearTimeout(timer.current);
      timer.current = undefined;
      latest.current = addressIn(location.search);
      flushSync(() => setAddress(latest.current));
      restorePlace();
    };
    addEventListener('popstate', follow);
    return () => {
      removeEventListener('popstate', follow);
      clearTimeout(timer.current);
    };
  }, []);
  useKeptPlace();

  return {
    address,
    replace(changes) {
      latest.current = { ...latest.current, ...changes };
      setAddress(latest.current);
      timer.current ??= setTimeout(writeNow, WRITTEN_AFTER_MS);
    },
    push(changes) {
      writeNow();
      const wasOpen = latest.current.chosen !== null;
      latest.current = { ...latest.current, ...changes };
      write('push', latest.current, !wasOpen && latest.current.chosen !== null);
      setAddress(latest.current);
    },
  };
}

/** Goes back to the list if the finding was opened from it. */
export function closeFinding({ push }: Pick<AddressState, 'push'>): void {
  if (stateOf().isOpened === true) history.back();
  else push({ chosen: null });
}

/** Whether this entry has a stored scroll position. */
export function isPlaceKept(): boolean {
  return scrollPositions.has(stateOf().reading ?? '');
}

function restorePlace(): void {
  const place = scrollPositions.get(stateOf().reading ?? '');
  if (place === undefined) return;
  scrollTo(0, place[0]);
  scroller()?.scrollTo(0, place[1]);
}

/** Stores the scroll position, and restores it when the user returns to the page. */
function useKeptPlace(): void {
  useLayoutEffect(() => {
    restorePlace();
    const note = () => {
      const key = stateOf().reading;
      if (key !== undefined) notePlace(key);
    };
    addEventListener('scrollend', note, { passive: true, capture: true });
    return () => removeEventListener('scrollend', note, { capture: true });
  }, []);
}
