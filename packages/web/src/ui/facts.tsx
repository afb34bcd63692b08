/** Names and values in two columns. */
import type { ReactNode } from 'react';

export function Facts({ facts }: { readonly facts: readonly (readonly [name: string, fact: ReactNode])[] }) {
  return (
    <dl className="grid grid-cols-[max-content_minmax(0,1fr)] gap-x-6 gap-y-2">
      {facts.map(([name, fact]) => (
        <div key={name} className="col-span-2 grid grid-cols-subgrid">
          <dt className="text-quiet">{name}</dt>
          <dd>{fact}</dd>
        </div>
      ))}
    </dl>
  );
}
