/** The frame of a page: its title, and a heading that gets the focus on navigation. */
import { useEffect, useRef, type ReactNode } from 'react';

const widths = {
  narrow: 'max-w-md',
  text: 'max-w-3xl',
  list: 'max-w-[90rem]',
  wide: 'max-w-[100rem]',
} as const;

export interface PageProps {
  /** The document title; also the default heading. */
  readonly title: string;
  readonly heading?: ReactNode;
  /** Rendered beside the heading. */
  readonly actions?: ReactNode;
  /** Rendered above the heading, such as breadcrumbs. */
  readonly above?: ReactNode;
  readonly width?: keyof typeof widths;
  readonly children: ReactNode;
}

export function usePageTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · svc`;
  }, [title]);
}

export function Page({ title, heading = title, actions, above, width = 'text', children }: PageProps) {
  usePageTitle(title);
  return (
    <div className={`mx-auto flex w-full flex-col gap-6 px-4 py-6 sm:px-6 ${widths[width]}`}>
      {above ? <div className="-mb-5">{above}</div> : null}
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 xl:flex-nowrap">
        <PageHeading>{heading}</PageHeading>
        {actions ? <div className="flex flex-wrap items-center gap-2 xl:shrink-0">{actions}</div> : null}
      </div>
      {children}
    </div>
  );
}

/** False for the first page of a document, which leaves the focus at the top. */
let isAnotherPage = false;

export interface PageHeadingProps {
  readonly className?: string;
  readonly children: ReactNode;
}

/** The `h1` of a page. */
export function PageHeading({
  className = 'text-title font-strong sm:text-display',
  children,
}: PageHeadingProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (isAnotherPage) heading.current?.focus();
    isAnotherPage = true;
  }, []);
  return (
    <h1 ref={heading} tabIndex={-1} className={className}>
      {children}
    </h1>
  );
}
