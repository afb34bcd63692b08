/** The frame of a page: its title, and a heading that takes the focus when the page comes in place of another. */
import { useEffect, useRef, type ReactNode } from 'react';

const widths = { narrow: 'max-w-md', text: 'max-w-3xl', list: 'max-w-6xl', wide: 'max-w-[100rem]' } as const;

export interface PageProps {
  /** What the browser calls it; the heading unless it is given. */
  readonly title: string;
  readonly heading?: ReactNode;
  /** Beside the heading. */
  readonly actions?: ReactNode;
  readonly width?: keyof typeof widths;
  readonly children: ReactNode;
}

export function Page({ title, heading = title, actions, width = 'text', children }: PageProps) {
  useEffect(() => {
    document.title = `${title} · svc`;
  }, [title]);
  return (
    <div className={`mx-auto flex w-full flex-col gap-6 px-4 py-6 ${widths[width]}`}>
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <Heading>{heading}</Heading>
        {actions ? <div className="flex flex-wrap items-center gap-2">{actions}</div> : null}
      </div>
      {children}
    </div>
  );
}

/** False until the first page was there: whoever loads a document starts at its top. */
let isAnotherPage = false;

function Heading({ children }: { readonly children: ReactNode }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (isAnotherPage) heading.current?.focus();
    isAnotherPage = true;
  }, []);
  return (
    <h1 ref={heading} tabIndex={-1} className="text-title font-strong">
      {children}
    </h1>
  );
}
