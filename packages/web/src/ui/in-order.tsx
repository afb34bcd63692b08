/** Parts of what never changes, such as the lines of a text: each is known by its place, and needs no key. */
import { createElement, Fragment, type ReactNode } from 'react';

export interface InOrderProps<Item> {
  readonly of: readonly Item[];
  readonly children: (item: Item, at: number) => ReactNode;
}

export function InOrder<Item>({ of, children }: InOrderProps<Item>) {
  return createElement(Fragment, null, ...of.map(children));
}
