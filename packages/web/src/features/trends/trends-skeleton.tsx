/** The layout of trends that are still loading: each panel is as high as its content. */
import { severities } from '@svc/contract/enums';
import { limits } from '@svc/contract/limits';
import { SkeletonLine } from '../../ui/skeleton.tsx';

export interface TrendsSkeletonProps {
  /** The number of open findings; undefined if it is unknown. */
  readonly openCount: number | undefined;
}

export function TrendsSkeleton({ openCount = limits.oldestOpenListedMax }: TrendsSkeletonProps) {
  return (
    <div className="flex flex-col gap-4">
      <div className="card p-4">
        <PlotSkeleton plot="h-64" />
      </div>
      <div className="grid gap-6 lg:grid-cols-2">
        <div className="card p-4">
          <PlotSkeleton plot="h-44" />
        </div>
        <div className="card p-4">
          <SkeletonLine className="mb-1 h-5 w-24" />
          <div className="h-4" />
          {severities.map((severity) => (
            <Row key={severity} />
          ))}
        </div>
        <div className="card flex flex-col gap-1 p-4 lg:col-span-2">
          <SkeletonLine className="h-5 w-48" />
          <div>
            {Array.from({ length: Math.min(Math.max(1, openCount), limits.oldestOpenListedMax) }, (_, at) => (
              <Row key={at} />
            ))}
          </div>
        </div>
      </div>
    </div>
  );
}

/** The frame of a plot: caption, drawing, axis, legend and the line that unfolds the figures. */
function PlotSkeleton({ plot }: { readonly plot: 'h-44' | 'h-64' }) {
  return (
    <div className="flex flex-col gap-2">
      <SkeletonLine className="h-5 w-40" />
      <SkeletonLine className={`${plot} w-full`} />
      <div className="h-3" />
      <SkeletonLine className="h-4 w-72 max-w-full" />
      <div className="h-6 pointer-coarse:h-11" />
    </div>
  );
}

function Row() {
  return (
    <div className="border-t border-line py-1">
      <SkeletonLine className="h-5 w-full" />
    </div>
  );
}
