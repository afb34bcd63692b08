/** Works on a report under a lease, which is renewed during the work and released in every case. */
import { CliError } from '../errors.ts';
import { claim, LEASE_SILENCE_MS_MAX, release, renew, type Lease } from '../store/leases.ts';
import type { Store } from '../store/store.ts';

export interface ReportHold {
  readonly lease: Lease;
  /**
   * Call before each step that another process must not repeat.
   * @throws CliError when the lease was taken over.
   */
  confirm(): void;
}

/**
 * @param given a lease that was claimed before.
 * @returns undefined, with nothing done, while another live process has the lease.
 */
export async function holding<Result>(
  store: Store,
  localReportId: string,
  work: (hold: ReportHold) => Promise<Result>,
  given?: Lease,
): Promise<{ readonly result: Result } | undefined> {
  const lease = given ?? claim(store, localReportId, Date.now());
  if (lease === undefined) return undefined;
  const heartbeat = setInterval(() => renew(store, lease, Date.now()), LEASE_SILENCE_MS_MAX / 3);
  heartbeat.unref();
  const confirm = () => {
    if (renew(store, lease, Date.now())) return;
    throw new CliError('failed', 'Another svc process took over this report.', {
      hint: `Follow it: svc watch --report ${localReportId}`,
    });
  };
  try {
    return { result: await work({ lease, confirm }) };
  } finally {
    clearInterval(heartbeat);
    release(store, lease);
  }
}
