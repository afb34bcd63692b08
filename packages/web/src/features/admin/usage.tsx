/** The number of each usage event on each of the last days. */
import { useQuery } from '@tanstack/react-query';
import type { AnalyticsName } from '@svc/contract';
import { query } from '../../lib/api.ts';
import { QueryResult } from '../../ui/query-result.tsx';
import { InOrder } from '../../ui/in-order.tsx';
import { useNow } from '../../ui/time.tsx';
import { usageOf, type UsageRow } from './usage-days.ts';

const DAYS = 30;

const names: Readonly<Record<AnalyticsName, string>> = {
  cli_linked: 'CLI linked',
  cli_scan_started: 'Scan started',
  cli_scan_completed: 'Scan completed',
  cli_sync_completed: 'Report uploaded',
  cli_update_checked: 'Update checked',
  report_viewed: 'Report viewed',
  report_exported: 'Report exported',
  report_watched: 'Scan watched',
  share_created: 'Share link created',
  share_revoked: 'Share link revoked',
  share_previewed: 'Share link previewed',
  finding_status_changed: 'Finding status changed',
  workspace_created: 'Workspace created',
  project_created: 'Project created',
};

export function UsageTable() {
  const counts = useQuery({
    ...query('getAnalytics', { query: { days: String(DAYS) } }),
    staleTime: 0,
    throwOnError: false,
  });
  const now = useNow();
  return (
    <QueryResult of={counts} what="the counts">
      {({ days: given }) => {
        const { days, rows } = usageOf(given, now, DAYS);
        return (
          <>
            <p className="text-quiet">
              Counts contain no person, workspace or report, and exclude browsers that turned statistics off.
              Days are in UTC.
            </p>
            {given.length === 0 ? <p>No events in the last {DAYS} days.</p> : null}
            <table className="w-full border-collapse">
              <thead className="text-left text-small text-quiet">
                <tr className="border-b border-line">
                  <th scope="col" className="py-1.5 font-normal">
                    Event
                  </th>
                  <th scope="col" className="w-28 py-1.5 font-normal sm:w-72">
                    <span className="max-sm:sr-only">Since </span>
                    <span className="whitespace-nowrap nums">{days[0]}</span>
                  </th>
                  <th scope="col" className="w-14 py-1.5 text-right font-normal sm:w-20">
                    Total
                  </th>
                </tr>
              </thead>
              <tbody>
                {rows.map((row) => (
                  <Row key={row.name} row={row} />
                ))}
              </tbody>
            </table>
          </>
        );
      }}
    </QueryResult>
  );
}

function Row({ row: { name, total, perDay } }: { readonly row: UsageRow }) {
  return (
    <tr className="border-b border-line">
      <th scope="row" className="py-1.5 pr-4 text-left font-normal">
        {names[name]}
      </th>
      <td className="py-1.5">{total === 0 ? null : <Bars perDay={perDay} />}</td>
      <td className={`py-1.5 pl-4 text-right nums ${total === 0 ? 'text-quiet' : ''}`}>
        {total.toLocaleString('en')}
      </td>
    </tr>
  );
}

const HEIGHT = 20;
/** The width of a bar. Each day has 4 units, which leaves a gap between the bars. */
const BAR_WIDTH = 3;

function Bars({ perDay }: Pick<UsageRow, 'perDay'>) {
  const most = Math.max(1, ...perDay);
  const label = `${perDay.at(-1) ?? 0} today, at most ${Math.max(0, ...perDay).toLocaleString('en')} a day`;
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${4 * perDay.length} ${HEIGHT}`}
      preserveAspectRatio="none"
      className="block h-5 w-full"
    >
      <title>{label}</title>
      <InOrder of={perDay}>
        {(count, at) => {
          const height = count === 0 ? 1 : Math.max(2, (HEIGHT * count) / most);
          return (
            <rect
              x={4 * at}
              y={HEIGHT - height}
              width={BAR_WIDTH}
              height={height}
              className={count === 0 ? 'fill-line' : 'fill-accent'}
            />
          );
        }}
      </InOrder>
    </svg>
  );
}
