/** The results of opening a share link: the report, an error, or no response. */
import type {
  ErrorCode,
  FindingTotals,
  ReportProjection,
  ShareCover,
  SharedFirstScreen,
} from '@svc/contract';
import { ask, ApiError } from '../../lib/api.ts';
import { takeFirstData } from '../../lib/first-data.ts';
import { prepareEntries } from '../reading/entries.ts';

export interface Opened {
  readonly kind: 'opened';
  readonly report: ReportProjection;
  readonly viewerLabel: string;
  readonly share: ShareCover;
  readonly isWhole: boolean;
  /** Null if the report is whole or lists no findings. */
  readonly totals: FindingTotals | null;
}

export interface Denied {
  readonly kind: 'denied';
  readonly code: ErrorCode;
  readonly retryAfterMs: number | null;
  /** A password was sent. */
  readonly wasTried: boolean;
}

interface Unreachable {
  readonly kind: 'unreachable';
}

export type OpenResult = Opened | Denied | Unreachable;

/** The result embedded in the document; null if it has none. */
export function firstResult(): OpenResult | null {
  const [first] = takeFirstData();
  if (!first) return null;
  if (first.rejection) return { kind: 'denied', ...first.rejection, wasTried: false };
  const { viewer, share, first: screen } = first.body as SharedFirstScreen;
  return { kind: 'opened', viewerLabel: viewer.label, share, ...screen };
}

/** Reads the report, which counts as a view. */
export async function readLink(slug: string, shareUnlock: string | undefined): Promise<OpenResult> {
  try {
    const { report, viewer, share } = await ask('readShare', {
      params: { slug },
      query: { cover: '1' },
      shareUnlock,
    });
    await prepareEntries(report);
    const cover = share ?? { message: null, sender: null, expiresAt: null };
    return { kind: 'opened', report, viewerLabel: viewer.label, share: cover, isWhole: true, totals: null };
  } catch (error) {
    return failedBy(error, false);
  }
}

/** Exchanges the password for an unlock token. */
export async function unlockLink(
  slug: string,
  password: string,
): Promise<Denied | Unreachable | { readonly kind: 'unlocked'; readonly unlockToken: string }> {
  try {
    const { unlockToken } = await ask('unlockShare', { params: { slug }, body: { password } });
    return { kind: 'unlocked', unlockToken };
  } catch (error) {
    return failedBy(error, true);
  }
}

function failedBy(error: unknown, wasTried: boolean): Denied | Unreachable {
  if (!(error instanceof ApiError) || error.status >= 500) return { kind: 'unreachable' };
  const { code, retryAfterMs } = error;
  return { kind: 'denied', code, retryAfterMs, wasTried };
}
