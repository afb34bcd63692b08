/** The layout of a report that is still loading. */
import { Skeleton, SkeletonLine, SkeletonRows } from '../../ui/skeleton.tsx';

export function ReportSkeleton() {
  return (
    <Skeleton what="the report">
      <div className="mx-auto flex w-full max-w-[100rem] flex-col gap-3 px-4 py-4 sm:px-6">
        <SkeletonLine className="h-8 w-96 max-w-full" />
        <SkeletonLine className="h-9 w-80 max-w-full" />
        <SkeletonLine className="h-8 w-full" />
        <SkeletonLine className="h-5 w-56" />
        <SkeletonLine className="h-9 w-60" />
        <SkeletonRows count={12} />
      </div>
    </Skeleton>
  );
}
