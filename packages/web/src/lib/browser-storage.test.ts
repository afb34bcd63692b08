import { expect, test } from 'vitest';
import { createStore } from './browser-storage.ts';

/** A browser's storage, as far as a store uses it. */
function storageOf(kept: Map<string, string>) {
  return {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  };
}

function fails(name: string): never {
  throw new DOMException('No.', name);
}

const blocked: readonly [name: string, area: () => ReturnType<typeof storageOf>][] = [
  ['throws when it is named', () => fails('SecurityError')],
  ['is null', () => null as never],
  ['does not exist', () => undefined as never],
  [
    'throws in every call',
    () => ({
      getItem: () => fails('SecurityError'),
      setItem: () => fails('SecurityError'),
      removeItem: () => fails('SecurityError'),
    }),
  ],
  ['has no space', () => ({ ...storageOf(new Map()), setItem: () => fails('QuotaExceededError') })],
];

test('a store keeps values in the browser and leaves nothing else there', () => {
  const kept = new Map<string, string>();
  const store = createStore(() => storageOf(kept));
  expect(store.get('a')).toBeNull();
  store.set('a', '1');
  store.set('b', '2');
  store.remove('b');
  expect(store.isLasting()).toBe(true);
  expect([...kept]).toEqual([['a', '1']]);
  expect(createStore(() => storageOf(kept)).get('a')).toBe('1');
});

test.each(blocked)('a store whose storage %s keeps values in memory and says so', (_name, area) => {
  const store = createStore(area);
  expect([store.get('a'), store.isLasting()]).toEqual([null, false]);
  store.set('a', '1');
  store.set('b', '2');
  store.remove('b');
  expect([store.get('a'), store.get('b'), store.isLasting()]).toEqual(['1', null, false]);
});

test('a value that the browser can’t replace or remove is neither read again nor lasting', () => {
  const kept = new Map([
    ['a', 'before'],
    ['b', 'before'],
  ]);
  const store = createStore(() => ({
    ...storageOf(kept),
    setItem: () => fails('QuotaExceededError'),
    removeItem: () => fails('SecurityError'),
  }));
  store.set('a', 'now');
  store.remove('b');
  expect([store.get('a'), store.get('b'), store.isLasting()]).toEqual(['now', null, false]);
});

test('a store is lasting again once the browser keeps what it had no space for', () => {
  const kept = new Map<string, string>();
  let isFull = true;
  const store = createStore(() => ({
    ...storageOf(kept),
    setItem: (key: string, value: string) =>
      isFull && value.length > 1 ? fails('QuotaExceededError') : void kept.set(key, value),
  }));
  store.set('a', 'long');
  expect([store.get('a'), store.isLasting()]).toEqual(['long', false]);
  isFull = false;
  store.set('a', 'longer');
  expect([kept.get('a'), store.isLasting()]).toEqual(['longer', true]);
});
