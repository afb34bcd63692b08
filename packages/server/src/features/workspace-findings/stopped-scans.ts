/** Which scans without a report have stopped: by their last word, or because they fell silent. */
import { limits, type StoppedScan } from '@svc/contract';
import { isoTime } from '#platform/clock';
import type { LiveScan } from './stopped-scans-store.ts';

/** In the same order, without the scans that are running. */
export function stoppedScansOf(scans: readonly LiveScan[], now: number): StoppedScan[] {
  return scans.flatMap(({ id, projectId, createdAt, lastEventAt, turningPoint }) => {
    // A device's clock can be behind the clock of the service.
    const lastAt = Math.max(createdAt, lastEventAt ?? 0);
    const outcome = outcomeOf(turningPoint, now - lastAt);
    return outcome === null ? [] : [{ reportId: id, projectId, outcome, lastEventAt: isoTime(lastAt) }];
  });
}

function outcomeOf(turningPoint: LiveScan['turningPoint'], silenceMs: number): StoppedScan['outcome'] | null {
  if (turningPoint === 'scan_failed') return 'failed';
  if (turningPoint === 'scan_cancelled') return 'cancelled';
  return silenceMs >= limits.scanSilenceMs ? 'silent' : null;
}
