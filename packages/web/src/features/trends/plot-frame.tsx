/**
 * The frame of a plot: heading, axes, marks and the plot itself. The figures are also in a table, so the drawing is
 * hidden from screen readers. The table offers the same actions as a click in the drawing.
 */
import { useState, type MouseEvent, type ReactNode } from 'react';
import { dayText, placeOf, ticksOf } from './shapes.ts';

export interface PlotMark {
  /** The position of the day. */
  readonly at: number;
  readonly label: string;
}

export interface PlotFrameProps {
  readonly caption: string;
  /** The top of the vertical axis. */
  readonly top: number;
  /** The days of the horizontal axis, the oldest first. */
  readonly dates: readonly string[];
  readonly legend: ReactNode;
  /** SVG shapes in a box of 100 by 100. */
  readonly children: ReactNode;
  /** The figures of a day in words. */
  readonly textOf: (at: number) => string;
  /** Called with the day that is clicked. */
  readonly onPick?: ((at: number) => void) | undefined;
  readonly marks?: readonly PlotMark[];
  /** `fill` takes the height that its container has left. */
  readonly size?: keyof typeof heights;
  /** The figures. Rendered only when they are first shown, because they have a row for each day. */
  readonly table: ReactNode;
}

export const noMarks: readonly PlotMark[] = [];
const heights = { usual: 'h-44', large: 'h-64', fill: 'absolute inset-0 h-full' } as const;

export function PlotFrame(props: PlotFrameProps) {
  const {
    caption,
    top,
    dates,
    legend,
    children,
    textOf,
    onPick,
    marks = noMarks,
    size = 'usual',
    table,
  } = props;
  const [pointed, setPointed] = useState<number>();
  const [isTableWanted, setIsTableWanted] = useState(false);
  const at = pointed === undefined ? undefined : Math.min(pointed, dates.length - 1);
  const ticks = ticksOf(dates.length);
  const isFilling = size === 'fill';
  return (
    <figure className={`@container flex min-w-0 flex-col gap-2 ${isFilling ? 'grow' : ''}`}>
      <figcaption className="flex flex-wrap items-baseline justify-between gap-x-4">
        <span className="font-strong">{caption}</span>
        <span aria-hidden="true" className="min-h-4 text-small text-quiet nums">
          {at === undefined ? '' : `${dayText(dates[at])}: ${textOf(at)}`}
        </span>
      </figcaption>
      <div
        aria-hidden="true"
        className={`grid grid-cols-[auto_minmax(0,1fr)] gap-x-2 text-small text-quiet ${isFilling ? 'grow grid-rows-[minmax(16rem,1fr)_auto]' : ''}`}
      >
        <div className="-my-2 flex flex-col justify-between text-right nums">
          {top > 1 ? [top, top / 2, 0].map(axisLabel) : [top, 0].map(axisLabel)}
        </div>
        <div className="relative">
          <svg
            role="presentation"
            viewBox="0 0 100 100"
            preserveAspectRatio="none"
            className={`block w-full border-b border-l border-line ${heights[size]} ${onPick ? 'cursor-pointer' : ''}`}
            onPointerMove={(event) => setPointed(dayUnder(event, dates.length))}
            onPointerLeave={() => setPointed(undefined)}
            onClick={(event) => onPick?.(dayUnder(event, dates.length))}
          >
            <path d="M0 0H100M0 50H100" className="fill-none stroke-line" vectorEffect="non-scaling-stroke" />
            {children}
          </svg>
          {marks.map(({ at: place, label }) => (
            <Line key={label} place={place} count={dates.length} look="border-dashed border-edge" />
          ))}
          {at === undefined ? null : <Line place={at} count={dates.length} look="border-text" />}
        </div>
        <div className="relative col-start-2 h-5 pt-1">
          {ticks.map((tick, position) => (
            <span
              key={tick}
              className={`absolute whitespace-nowrap ${shiftOf(position, ticks.length)} ${position % 2 === 1 ? '@max-lg:hidden' : ''}`}
              style={{ left: `${leftOf(tick, dates.length)}%` }}
            >
              {tick === dates.length - 1 ? 'today' : dayText(dates[tick])}
            </span>
          ))}
        </div>
      </div>
      {legend}
      {marks.length > 0 ? (
        <ul aria-label="Marks" className="flex flex-col text-small text-quiet">
          {marks.map(({ at: place, label }) => (
            <li key={label}>
              <span aria-hidden="true" className="mr-2 inline-block h-3 border-l border-dashed border-edge" />
              {dayText(dates[place])}: {label}
            </li>
          ))}
        </ul>
      ) : null}
      <details className="text-small" onToggle={() => setIsTableWanted(true)}>
        <summary className="min-h-6 pointer-coarse:min-h-11 cursor-pointer text-quiet">
          Show the figures
        </summary>
        <div className="max-h-80 overflow-auto" tabIndex={0} role="group" aria-label={`Figures: ${caption}`}>
          {isTableWanted ? table : null}
        </div>
      </details>
    </figure>
  );
}

/** Uses the event alone, since no pointer move precedes a tap. */
function dayUnder({ currentTarget, clientX }: MouseEvent<SVGElement>, count: number): number {
  const { left, width } = currentTarget.getBoundingClientRect();
  return placeOf((clientX - left) / width, count);
}

function axisLabel(value: number) {
  return <span key={value}>{value.toLocaleString('en')}</span>;
}

interface LineProps {
  readonly place: number;
  readonly count: number;
  readonly look: string;
}

function Line({ place, count, look }: LineProps) {
  return (
    <span
      className={`pointer-events-none absolute inset-y-0 border-l ${look}`}
      style={{ left: `${leftOf(place, count)}%` }}
    />
  );
}

function leftOf(place: number, count: number): number {
  return count < 2 ? 0 : (place / (count - 1)) * 100;
}

/** The first and last labels stay within the plot. */
function shiftOf(position: number, count: number): string {
  if (position === 0) return '';
  return position === count - 1 ? '-translate-x-full' : '-translate-x-1/2';
}
