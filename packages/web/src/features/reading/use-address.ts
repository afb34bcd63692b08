/**
 * A page's address as state. It works on the browser's own history, so it stands on pages with a router and on pages
 * without one: typing replaces the entry, choosing makes a new one, and Back brings an entry back as it was left.
 */
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { addressIn, searchWith, type Address } from './address.ts';

/** Browsers take only so many changes of an address in a time. */
const WRITTEN_AFTER_MS = 250;

export interface AddressState {
  readonly address: Address;
  /** For what is typed and set: the entry stays the same. */
  readonly replace: (changes: Partial<Address>) => void;
  /** For what is chosen: Back leads to what was before. */
  readonly push: (changes: Partial<Address>) => void;
}

/** Where each entry was scrolled to when it was left. */
const places = new Map<string, number>();

interface Marked {
  /** An entry that scrolls by itself; whoever else restores places leaves it alone. */
  readonly reading?: string;
  /** The entry before this one is the list from which the finding was opened. */
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
  places.set(key, scrollY);
  // A note on the entry that is left; nobody needs to hear of it.
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

/** To the list as it was left, where the finding was opened from it. */
export function closeFinding({ push }: Pick<AddressState, 'push'>): void {
  if (stateOf().isOpened === true) history.back();
  else push({ chosen: null });
}

/** Whether the page was here before, and goes back to where it was left. */
export function isPlaceKept(): boolean {
  return places.has(stateOf().reading ?? '');
}

function restorePlace(): void {
  const place = places.get(stateOf().reading ?? '');
  if (place !== undefined) scrollTo(0, place);
}

/** Of a page that is left for another one, and come back to. */
function useKeptPlace(): void {
  useLayoutEffect(() => {
    restorePlace();
    const note = () => {
      const key = stateOf().reading;
      if (key !== undefined) places.set(key, scrollY);
    };
    addEventListener('scrollend', note, { passive: true });
    return () => removeEventListener('scrollend', note);
  }, []);
}
