/** The findings opened, fixed and set aside on each day. */
import type { TrendDay } from '@svc/contract';
import { PlotFrame } from './plot-frame.tsx';
import { axisTop, BOX, dayText, rounded } from './shapes.ts';

const flows = [
  { name: 'opened', label: 'Opened', fill: 'fill-danger', swatch: 'bg-danger' },
  { name: 'fixed', label: 'Fixed', fill: 'fill-good-text', swatch: 'bg-good-text' },
  { name: 'setAside', label: 'Set aside', fill: 'fill-edge', swatch: 'bg-edge' },
] as const;

export function FlowPlot({ days }: { readonly days: readonly TrendDay[] }) {
  const top = axisTop(Math.max(0, ...days.flatMap((each) => flows.map(({ name }) => each[name]))));
  const width = BOX / Math.max(1, days.length);
  return (
    <PlotFrame
      caption="Opened and fixed by day"
      top={top}
      dates={days.map(({ date }) => date)}
      textOf={(at) => flows.map(({ name, label }) => `${label} ${days[at]?.[name] ?? 0}`).join(', ')}
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
    </PlotFrame>
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
            <th scope="row" className="text-left font-normal whitespace-nowrap">
              {dayText(each.date)}
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
