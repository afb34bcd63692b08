/** What the service says to the viewer of a link: the report, what stands in the way, or nothing at all. */
import type { ErrorCode, FindingTotals, ReportProjection, SharedFirstScreen } from '@svc/contract';
import { ask, Refusal } from '../../lib/api.ts';
import { takeFirstData } from '../../lib/first-data.ts';

export interface Opened {
  readonly kind: 'opened';
  readonly report: ReportProjection;
  readonly viewerLabel: string;
  readonly isWhole: boolean;
  /** Null where the report is whole or lists no findings. */
  readonly totals: FindingTotals | null;
}

export interface Refused {
  readonly kind: 'refused';
  readonly code: ErrorCode;
  readonly retryAfterMs: number | null;
  /** A password was given. */
  readonly wasTried: boolean;
}

export type Answer = Opened | Refused | { readonly kind: 'unreachable' };

/** What came with the document; null where it has nothing of the link. */
export function firstAnswer(): Answer | null {
  const [first] = takeFirstData();
  if (!first) return null;
  if (first.refusal) return { kind: 'refused', ...first.refusal, wasTried: false };
  const { viewer, first: screen } = first.body as SharedFirstScreen;
  return { kind: 'opened', viewerLabel: viewer.label, ...screen };
}

/** Reads the report, which counts as a view. */
export async function readLink(slug: string, password: string | undefined): Promise<Answer> {
  try {
    const sharePassword = password === undefined ? {} : { sharePassword: password };
    const { report, viewer } = await ask('readShare', { params: { slug }, ...sharePassword });
    return { kind: 'opened', report, viewerLabel: viewer.label, isWhole: true, totals: null };
  } catch (error) {
    if (!(error instanceof Refusal) || error.status >= 500) return { kind: 'unreachable' };
    const { code, retryAfterMs } = error;
    return { kind: 'refused', code, retryAfterMs, wasTried: password !== undefined };
  }
}
