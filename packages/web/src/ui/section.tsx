/** A section of a page with an anchor: its title at the left, its content at the right. */
import { useEffect, useId, useRef, type ReactNode } from 'react';

export interface SectionProps {
  /** The fragment of its URL. */
  readonly id?: string;
  readonly title: string;
  readonly note?: ReactNode;
  readonly children: ReactNode;
}

export function Section({ id, title, note, children }: SectionProps) {
  const titleId = useId();
  const section = useRef<HTMLElement>(null);
  useEffect(() => {
    // The browser looked for the fragment before this section was rendered.
    if (id !== undefined && location.hash === `#${id}`) section.current?.scrollIntoView();
  }, [id]);
  return (
    <section
      ref={section}
      id={id}
      aria-labelledby={titleId}
      className="grid gap-x-8 gap-y-4 card p-4 sm:p-6 md:grid-cols-[13rem_minmax(0,1fr)]"
    >
      <div className="flex flex-col gap-1">
        <h2 id={titleId} className="text-lead font-strong">
          {title}
        </h2>
        {note ? <p className="text-small text-quiet">{note}</p> : null}
      </div>
      <div className="flex min-w-0 flex-col gap-4">{children}</div>
    </section>
  );
}
