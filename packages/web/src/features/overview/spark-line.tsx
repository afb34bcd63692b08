/** The open findings of a project over some weeks as a small line, and in words. */
import { axisTop, BOX, rounded } from '../trends/shapes.ts';

/** @param values the oldest first, at least two */
export function SparkLine({ values }: { readonly values: readonly number[] }) {
  const top = axisTop(Math.max(...values));
  const points = values.map(
    (value, at) => `${rounded((at / (values.length - 1)) * BOX)},${rounded(BOX - (value / top) * BOX)}`,
  );
  return (
    <>
      <svg
        viewBox="-2 -8 104 116"
        preserveAspectRatio="none"
        aria-hidden="true"
        className="h-6 w-full min-w-20 overflow-visible"
      >
        <polyline
          points={points.join(' ')}
          vectorEffect="non-scaling-stroke"
          className="fill-none stroke-accent-text"
          strokeWidth="1.5"
        />
      </svg>
      <span className="sr-only">
        {`${(values[0] ?? 0).toLocaleString('en')} open ${values.length - 1} weeks ago, ${(values.at(-1) ?? 0).toLocaleString('en')} now`}
      </span>
    </>
  );
}
