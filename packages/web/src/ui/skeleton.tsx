/** The layout of content that is still loading, so that nothing moves once it is there. */
import type { ReactNode } from 'react';

export interface SkeletonProps {
  /** The object of the loading message for screen readers, as in "Loading the report…". */
  readonly what: string;
  readonly children: ReactNode;
}

export function Skeleton({ what, children }: SkeletonProps) {
  return (
    <div role="status">
      <span className="sr-only">Loading {what}…</span>
      <div aria-hidden="true">{children}</div>
    </div>
  );
}

/** A line of text; the class names set its size. */
export function SkeletonLine({ className }: { readonly className: string }) {
  return <div className={`skeleton ${className}`} />;
}

/** Rows of a list, as high as the rows of reports and findings. */
export function SkeletonRows({ count }: { readonly count: number }) {
  return (
    <div className="card divide-y divide-line">
      {Array.from({ length: count }, (_, at) => (
        <div key={at} className="flex h-9 items-center gap-4 px-3">
          <SkeletonLine className="h-4 w-16" />
          <SkeletonLine className="h-4 w-1/2" />
        </div>
      ))}
    </div>
  );
}

/** A page with a title and a list. */
export function PageSkeleton() {
  return (
    <Skeleton what="the page">
      <div className="mx-auto flex max-w-[90rem] flex-col gap-6 px-4 py-6 sm:px-6">
        <SkeletonLine className="h-9 w-64" />
        <SkeletonRows count={8} />
      </div>
    </Skeleton>
  );
}
