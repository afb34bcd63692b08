/** Open findings by severity over time, and the findings opened, fixed and set aside on each day. */
import type { Severity, TrendDay } from '@svc/contract';
import { severities } from '@svc/contract/enums';
import { counted, day as dayText } from '../../lib/format.ts';
import { severityLooks, SeverityMark } from '../../ui/severity.tsx';
import { PlotFrame } from './plot-frame.tsx';
import { areasOf, axisTop, BOX, rounded, totalOf } from './shapes.ts';

const fills: Readonly<Record<Severity, string>> = {
  critical: 'fill-critical',
  high: 'fill-high',
  medium: 'fill-medium',
  low: 'fill-low',
  info: 'fill-info',
};

const flows = [
  { name: 'opened', label: 'Opened', fill: 'fill-danger', swatch: 'bg-danger' },
  { name: 'fixed', label: 'Fixed', fill: 'fill-good-text', swatch: 'bg-good-text' },
  { name: 'setAside', label: 'Set aside', fill: 'fill-edge', swatch: 'bg-edge' },
] as const;

export function TrendPlots({ days }: { readonly days: readonly TrendDay[] }) {
  return (
    <div className="grid gap-6 lg:grid-cols-2">
      <OpenPlot days={days} />
      <FlowPlot days={days} />
    </div>
  );
}

function OpenPlot({ days }: { readonly days: readonly TrendDay[] }) {
  const top = axisTop(Math.max(0, ...days.map(({ open }) => totalOf(open))));
  return (
    <PlotFrame
      caption="Open findings"
      top={top}
      {...endsOf(days)}
      legend={
        <ul aria-hidden="true" className="flex flex-wrap gap-x-4 text-small text-quiet">
          {severities.map((severity) => (
            <li key={severity}>
              <SeverityMark severity={severity} />
            </li>
          ))}
        </ul>
      }
      table={<OpenTable days={days} />}
    >
      {areasOf(days, top).map(({ severity, points }) => (
        <polygon key={severity} points={points} className={fills[severity]} />
      ))}
      <Hovers days={days} textOf={({ open }) => counted(totalOf(open), 'open finding')} />
    </PlotFrame>
  );
}

function FlowPlot({ days }: { readonly days: readonly TrendDay[] }) {
  const top = axisTop(Math.max(0, ...days.flatMap((each) => flows.map(({ name }) => each[name]))));
  const width = BOX / Math.max(1, days.length);
  return (
    <PlotFrame
      caption="Opened and fixed by day"
      top={top}
      {...endsOf(days)}
      legend={
        <ul aria-hidden="true" className="flex flex-wrap gap-x-4 text-small text-quiet">
          {flows.map(({ name, label, swatch }) => (
            <li key={name} className="flex items-center gap-1.5">
              <span className={`size-3 rounded-xs ${swatch}`} />
              {label}
            </li>
          ))}
        </ul>
      }
      table={<FlowTable days={days} />}
    >
      {days.flatMap((each, at) =>
        flows.map(({ name, fill }, lane) => {
          const height = (each[name] / top) * BOX;
          return height === 0 ? null : (
            <rect
              key={`${each.date} ${name}`}
              x={rounded(at * width + (lane * width) / flows.length)}
              y={rounded(BOX - height)}
              width={rounded(width / flows.length)}
              height={rounded(height)}
              className={fill}
            />
          );
        }),
      )}
      <Hovers
        days={days}
        textOf={(each) => flows.map(({ name, label }) => `${label} ${each[name]}`).join(', ')}
      />
    </PlotFrame>
  );
}

function endsOf(days: readonly TrendDay[]): { readonly first: string; readonly last: string } {
  return { first: shown(days[0]?.date), last: 'today' };
}

function shown(date: string | undefined): string {
  return date === undefined ? '' : dayText(new Date(`${date}T12:00:00Z`));
}

function Hovers({
  days,
  textOf,
}: {
  readonly days: readonly TrendDay[];
  readonly textOf: (day: TrendDay) => string;
}) {
  const width = BOX / Math.max(1, days.length);
  return days.map((each, at) => (
    <rect
      key={each.date}
      x={rounded(at * width)}
      width={rounded(width)}
      height={BOX}
      className="fill-transparent hover:fill-hover hover:opacity-50"
    >
      <title>{`${shown(each.date)}: ${textOf(each)}`}</title>
    </rect>
  ));
}

function OpenTable({ days }: { readonly days: readonly TrendDay[] }) {
  return (
    <table className="w-full nums">
      <caption className="sr-only">Open findings by day and severity, newest first</caption>
      <thead>
        <tr>
          <th scope="col" className="text-left">
            Day
          </th>
          {severities.map((severity) => (
            <th key={severity} scope="col" className="text-right">
              {severityLooks[severity].word}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {days.toReversed().map(({ date, open }) => (
          <tr key={date}>
            <th scope="row" className="text-left font-normal">
              {shown(date)}
            </th>
            {severities.map((severity) => (
              <td key={severity} className="text-right">
                {open[severity].toLocaleString('en')}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function FlowTable({ days }: { readonly days: readonly TrendDay[] }) {
  return (
    <table className="w-full nums">
      <caption className="sr-only">Findings opened, fixed and set aside by day, newest first</caption>
      <thead>
        <tr>
          <th scope="col" className="text-left">
            Day
          </th>
          {flows.map(({ name, label }) => (
            <th key={name} scope="col" className="text-right">
              {label}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {days.toReversed().map((each) => (
          <tr key={each.date}>
            <th scope="row" className="text-left font-normal">
              {shown(each.date)}
            </th>
            {flows.map(({ name }) => (
              <td key={name} className="text-right">
                {each[name].toLocaleString('en')}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
