/**
 * What the pages keep in the browser, under typed keys. Browsers may block storage, so that even its name throws, or have
 * no space. Nothing here throws: a value that the browser does not keep lasts until the page is left.
 */

/** For all tabs, until the data of this site is deleted. */
type BrowserKey =
  | 'svc-analytics'
  | `svc-read-a-report-${string}`
  | `svc-views-${string}`
  | `svc-visit-${string}`;

/** For one tab, until it is closed. */
type TabKey = 'svc-workspace' | `share unlock ${string}`;

export interface Store<Key extends string> {
  get(key: Key): string | null;
  set(key: Key, value: string): void;
  remove(key: Key): void;
  /** Whether everything in this store outlives the page. */
  isLasting(): boolean;
}

type Area = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

const PROBE = 'svc-probe';

/** @param area reads the property of the window, which may throw. */
export function createStore<Key extends string>(area: () => Area): Store<Key> {
  /** Changes that the browser did not keep; null for a value that it did not remove. */
  const unkept = new Map<Key, string | null>();
  function succeeds(change: (storage: Area) => void): boolean {
    try {
      change(area());
      return true;
    } catch {
      return false;
    }
  }
  function apply(key: Key, value: string | null): void {
    const isKept = succeeds((storage) =>
      value === null ? storage.removeItem(key) : storage.setItem(key, value),
    );
    if (isKept) unkept.delete(key);
    else unkept.set(key, value);
  }
  return {
    get(key) {
      const value = unkept.get(key);
      if (value !== undefined) return value;
      try {
        return area().getItem(key);
      } catch {
        return null;
      }
    },
    set: apply,
    remove: (key) => apply(key, null),
    isLasting: () =>
      unkept.size === 0 &&
      succeeds((storage) => {
        storage.setItem(PROBE, '');
        storage.removeItem(PROBE);
      }),
  };
}

export const browserStore = createStore<BrowserKey>(() => localStorage);
export const tabStore = createStore<TabKey>(() => sessionStorage);
