/** The results of opening a share link: the report, an error, or no response. */
import type { ErrorCode, FindingTotals, ReportProjection, SharedFirstScreen } from '@svc/contract';
import { ask, ApiError } from '../../lib/api.ts';
import { takeFirstData } from '../../lib/first-data.ts';

export interface Opened {
  readonly kind: 'opened';
  readonly report: ReportProjection;
  readonly viewerLabel: string;
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

export type OpenResult = Opened | Denied | { readonly kind: 'unreachable' };

/** The result embedded in the document; null if it has none. */
export function firstResult(): OpenResult | null {
  const [first] = takeFirstData();
  if (!first) return null;
  if (first.rejection) return { kind: 'denied', ...first.rejection, wasTried: false };
  const { viewer, first: screen } = first.body as SharedFirstScreen;
  return { kind: 'opened', viewerLabel: viewer.label, ...screen };
}

/** Reads the report, which counts as a view. */
export async function readLink(slug: string, password: string | undefined): Promise<OpenResult> {
  try {
    const sharePassword = password === undefined ? {} : { sharePassword: password };
    const { report, viewer } = await ask('readShare', { params: { slug }, ...sharePassword });
    return { kind: 'opened', report, viewerLabel: viewer.label, isWhole: true, totals: null };
  } catch (error) {
    if (!(error instanceof ApiError) || error.status >= 500) return { kind: 'unreachable' };
    const { code, retryAfterMs } = error;
    return { kind: 'denied', code, retryAfterMs, wasTried: password !== undefined };
  }
}
