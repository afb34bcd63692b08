/** Renders the items of a list that never changes, such as lines of text, by position and without keys. */
import { createElement, Fragment, type ReactNode } from 'react';

export interface InOrderProps<Item> {
  readonly of: readonly Item[];
  readonly children: (item: Item, at: number) => ReactNode;
}

export function InOrder<Item>({ of, children }: InOrderProps<Item>) {
  return createElement(Fragment, null, ...of.map(children));
}
