/** A section of a finding with a heading. */
import type { ReactNode } from 'react';

export function Section({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section className="flex flex-col gap-2">
      <h3 className="break-after-avoid font-strong">{title}</h3>
      {children}
    </section>
  );
}
