/** Shortens a finished report again for a service with a lower size limit. The stored findings stay complete. */
import type { Failure } from '@svc/client';
import { sizeBytesMaxIn } from '@svc/report/making/size-limit';
import { canonicalReport } from '../report/canonical.ts';
import type { SizeReduction } from '@svc/report/making/fit-size';
import { refreeze } from '../store/freezing.ts';
import type { Lease } from '../store/leases.ts';
import type { Store } from '../store/store.ts';

/** The size limit that a rejection names; undefined when it names none, or is about something else. */
export function reportBytesMaxOf({ status, error }: Failure<string>): number | undefined {
  if (status !== 413) return undefined;
  return sizeBytesMaxIn(error.message);
}

/**
 * @returns undefined if the report cannot be made to fit; it is then unchanged.
 */
export function refit(
  store: Store,
  localReportId: string,
  reportBytesMax: number,
  lease: Lease,
): SizeReduction | undefined {
  const at = new Date().toISOString();
  try {
    return refreeze(
      store,
      localReportId,
      (set, local) => {
        const sync = { ...local.sync, reportBytesMax };
        const { bytes, fitted } = canonicalReport({ ...local, sync }, set, { at });
        if (fitted === null) throw new DoesNotFit();
        return { set, details: { sync, fitted }, bytes, result: fitted };
      },
      { at, lease },
    );
  } catch (error) {
    if (error instanceof DoesNotFit) return undefined;
    throw error;
  }
}

class DoesNotFit extends Error {}
