/** What is open in a workspace now, the change since last week, and the trend over 90 days. */
import type { WorkspaceTrends } from '@svc/contract';
import { severities } from '@svc/contract/enums';
import { SeverityGlyph, severityLooks } from '../../ui/severity.tsx';
import { OpenPlot } from '../trends/open-plot.tsx';
import { totalOf } from '../trends/shapes.ts';

const WEEK_DAYS = 7;

export function OpenNow({ days }: { readonly days: WorkspaceTrends['days'] }) {
  const open = days.at(-1)?.open;
  const before = days.at(-1 - WEEK_DAYS)?.open;
  if (!open || !before) return null;
  return (
    <>
      <div className="flex flex-wrap items-end justify-between gap-x-8 gap-y-3">
        <p className="flex flex-wrap items-baseline gap-x-3">
          <span className="text-display font-strong nums">{totalOf(open).toLocaleString('en')}</span>
          <span>{totalOf(open) === 1 ? 'open finding' : 'open findings'}</span>
          <span className="text-quiet">{changeText(totalOf(open) - totalOf(before))}</span>
        </p>
        <ul aria-label="Open findings by severity" className="flex flex-wrap gap-x-5 gap-y-1">
          {severities.map((severity) => (
            <li key={severity} className="flex items-center gap-1.5">
              <SeverityGlyph severity={severity} />
              <span className="font-strong nums">{open[severity].toLocaleString('en')}</span>
              <span className="text-quiet">{severityLooks[severity].word.toLowerCase()}</span>
              <Change of={open[severity] - before[severity]} />
            </li>
          ))}
        </ul>
      </div>
      <OpenPlot days={days} caption="Last 90 days" size="fill" hasLegend={false} />
    </>
  );
}

function changeText(change: number): string {
  if (change === 0) return 'as many as a week ago';
  return `${Math.abs(change).toLocaleString('en')} ${change > 0 ? 'more' : 'fewer'} than a week ago`;
}

function Change({ of }: { readonly of: number }) {
  if (of === 0) return null;
  return (
    <span className="text-small text-quiet nums">
      <span className="sr-only">, {changeText(of)}</span>
      <span aria-hidden="true">
        {of > 0 ? '+' : '−'}
        {Math.abs(of).toLocaleString('en')}
      </span>
    </span>
  );
}
