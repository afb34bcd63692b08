/** A report whose scan is running, updated live. When the report is final, its query data is replaced. */
import { limits } from '@svc/contract/limits';
import { useMemo } from 'react';
import { counted, laterOf, listed } from '../../lib/format.ts';
import { Notice } from '../../ui/notice.tsx';
import { ClockOrDay, useNow } from '../../ui/time.tsx';
import { EventFeed } from './event-feed.tsx';
import { isCaughtUp } from './followed.ts';
import { Phases } from './phases.tsx';
import { progressOf, type ScanProgress } from './progress.ts';
import { useLiveReport } from './use-live-report.ts';

const sentences: Readonly<Record<'running' | NonNullable<ScanProgress['outcome']>, string>> = {
  running: 'The scan is running. This page updates automatically and shows the report when it is complete.',
  scan_completed: 'The scan is complete. Its report is being uploaded.',
  scan_failed: 'The scan failed. Its terminal shows the reason. Scan again there to get a report.',
  scan_cancelled: 'The scan was cancelled.',
};

export interface LiveReportProps {
  readonly reportId: string;
  readonly createdAt: string;
}

export function LiveReport({ reportId, createdAt }: LiveReportProps) {
  const followed = useLiveReport(reportId);
  const { events, connection } = followed;
  const progress = useMemo(() => progressOf(events.map(({ event }) => event)), [events]);
  const now = useNow().getTime();
  const lastAt = laterOf(events.at(-1)?.event.occurredAt ?? '', createdAt);
  const hasFailed = progress.outcome === 'scan_failed' || progress.outcome === 'scan_cancelled';
  const isSilent = !hasFailed && isCaughtUp(followed) && now - Date.parse(lastAt) >= limits.scanSilenceMs;
  return (
    <div className="flex flex-col gap-6">
      <div className="flex flex-col gap-1">
        {isSilent ? (
          <p>
            No progress since <ClockOrDay at={lastAt} />. The scan may have stopped: check its terminal, or
            run <code>svc sync</code> on that machine.
          </p>
        ) : (
          <p>{sentences[progress.outcome ?? 'running']}</p>
        )}
        <Counts counts={progress.counts} />
      </div>
      {connection.is === 'failing' ? (
        <Notice tone="warn" title="Live updates are paused">
          <p>{connection.message} Retrying automatically.</p>
        </Notice>
      ) : null}
      <div className="grid gap-6 lg:grid-cols-[18rem_minmax(0,1fr)] lg:gap-8">
        <Phases
          phases={progress.phases}
          newest={progress.newest}
          isEnded={isSilent || progress.outcome !== null}
        />
        <EventFeed lines={progress.lines} count={events.length} />
      </div>
    </div>
  );
}

function Counts({ counts }: Pick<ScanProgress, 'counts'>) {
  const { findings, candidates, merged, dismissed } = counts;
  const others = [
    ...(candidates > 0 ? [`${counted(candidates, 'candidate')} examined`] : []),
    ...(merged > 0 ? [`${merged.toLocaleString('en')} merged`] : []),
    ...(dismissed > 0 ? [`${dismissed.toLocaleString('en')} dismissed`] : []),
  ];
  return (
    <p>
      <span className="font-strong nums">
        {findings === 0 ? 'No findings' : counted(findings, 'finding')} so far
      </span>
      {others.length > 0 ? <span className="text-quiet nums">; {listed(others)}</span> : null}
    </p>
  );
}
