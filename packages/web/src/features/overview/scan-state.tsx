/** Whether the scan of a live report is running, or how it stopped. */
import type { StoppedScan } from '@svc/contract';
import { ClockOrDay } from '../../ui/time.tsx';

/** @param stopped undefined for a scan that is running */
export function ScanState({ stopped }: { readonly stopped: StoppedScan | undefined }) {
  if (stopped === undefined)
    return (
      <span className="inline-flex items-center gap-2">
        <span aria-hidden="true" className="size-2 animate-pulse rounded-full bg-accent" />
        Scan running
      </span>
    );
  return <span className="relative text-warn-text">{stateOf(stopped)}</span>;
}

function stateOf({ outcome, lastEventAt }: StoppedScan) {
  if (outcome === 'failed') return 'Scan failed';
  if (outcome === 'cancelled') return 'Scan cancelled';
  return (
    <>
      No progress since <ClockOrDay at={lastEventAt} />
    </>
  );
}
