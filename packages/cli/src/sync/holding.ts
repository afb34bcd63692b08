/** Works on a report while no other process does: the lease is kept alive meanwhile, and given back in every case. */
import { CliError } from '../errors.ts';
import { claim, LEASE_SILENCE_MS_MAX, release, renew, type Lease } from '../store/leases.ts';
import type { Store } from '../store/store.ts';

export interface Hold {
  readonly lease: Lease;
  /** Before each step that another process must not repeat. @throws CliError when the lease was taken over. */
  confirm(): void;
}

/**
 * @param given a lease that was claimed already.
 * @returns undefined, with nothing done, while another live process holds the report.
 */
export async function holding<Result>(
  store: Store,
  localReportId: string,
  work: (hold: Hold) => Promise<Result>,
  given?: Lease,
): Promise<{ readonly result: Result } | undefined> {
  const lease = given ?? claim(store, localReportId, Date.now());
  if (lease === undefined) return undefined;
  const heartbeat = setInterval(() => renew(store, lease, Date.now()), LEASE_SILENCE_MS_MAX / 3);
  heartbeat.unref();
  const confirm = () => {
    if (renew(store, lease, Date.now())) return;
    throw new CliError('failed', 'Another svc has taken over this report.', { hint: 'svc watch shows it.' });
  };
  try {
    return { result: await work({ lease, confirm }) };
  } finally {
    clearInterval(heartbeat);
    release(store, lease);
  }
}
