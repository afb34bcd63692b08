/** Tabs: one of several panels is shown. The arrow keys move between them. */
import { Tabs as Parts } from 'radix-ui';
import type { ReactNode } from 'react';

export interface TabsProps<Id extends string> {
  /** The accessible name of the list of tabs. */
  readonly label: string;
  readonly tabs: readonly { readonly id: Id; readonly label: string }[];
  /** The tab that is shown first. */
  readonly first: Id;
  readonly children: (id: Id) => ReactNode;
}

export function Tabs<Id extends string>({ label, tabs, first, children }: TabsProps<Id>) {
  return (
    <Parts.Root defaultValue={first} className="flex flex-col gap-6">
      <Parts.List aria-label={label} className="flex flex-wrap gap-x-4 border-b border-line">
        {tabs.map((tab) => (
          <Parts.Trigger
            key={tab.id}
            value={tab.id}
            className="-mb-px min-h-9 pointer-coarse:min-h-11 border-b-2 border-transparent px-1 text-quiet hover:text-text data-[state=active]:border-accent data-[state=active]:font-strong data-[state=active]:text-text"
          >
            {tab.label}
          </Parts.Trigger>
        ))}
      </Parts.List>
      {tabs.map(({ id }) => (
        <Parts.Content key={id} value={id} className="flex flex-col gap-6">
          {children(id)}
        </Parts.Content>
      ))}
    </Parts.Root>
  );
}
