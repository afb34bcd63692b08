/** The frame of a plot: heading, axes and the plot itself. The figures are in a table, so the drawing is hidden from readers. */
import type { ReactNode } from 'react';

export interface PlotFrameProps {
  readonly caption: string;
  /** The top of the vertical axis. */
  readonly top: number;
  readonly first: string;
  readonly last: string;
  readonly legend: ReactNode;
  /** SVG shapes in a box of 100 by 100. */
  readonly children: ReactNode;
  readonly table: ReactNode;
}

export function PlotFrame({ caption, top, first, last, legend, children, table }: PlotFrameProps) {
  return (
    <figure className="flex min-w-0 flex-col gap-2">
      <figcaption className="font-strong">{caption}</figcaption>
      <div aria-hidden="true" className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-2 text-small text-quiet">
        <div className="flex flex-col justify-between text-right nums">
          <span>{top.toLocaleString('en')}</span>
          <span>0</span>
        </div>
        <svg
          viewBox="0 0 100 100"
          preserveAspectRatio="none"
          className="block h-40 w-full border-b border-l border-line"
        >
          <path d="M0 0H100M0 50H100" className="fill-none stroke-line" vectorEffect="non-scaling-stroke" />
          {children}
        </svg>
        <div className="col-start-2 flex justify-between pt-1">
          <span>{first}</span>
          <span>{last}</span>
        </div>
      </div>
      {legend}
      <details className="text-small">
        <summary className="min-h-6 cursor-pointer text-quiet">Show the figures</summary>
        <div className="max-h-80 overflow-auto" tabIndex={0} role="group" aria-label={`Figures: ${caption}`}>
          {table}
        </div>
      </details>
    </figure>
  );
}
