/**
 * What comes with the page of a report: its first screen, made of the reader's own projection, so that they do not wait for
 * the rest. The rest is read through the API.
 */
import type { ReportProjection, ReportRead, SharedReport } from './projections.ts';
import type { FacetName } from './reading/facets.ts';

/** Of all findings of a projection. */
export interface FindingTotals {
  readonly findings: number;
  /** By value, the most frequent first; not more of them than a list of choices shows. */
  readonly facets: Readonly<Record<FacetName, readonly (readonly [value: string, count: number])[]>>;
}

export interface FirstScreen {
  /** The projection; where it is not whole, with the most severe of its findings, and without what is long. */
  readonly report: ReportProjection;
  readonly isWhole: boolean;
  /** Null where the projection lists no findings. */
  readonly totals: FindingTotals | null;
}

/** The first screen of a link, for one viewer. */
export interface SharedFirstScreen {
  readonly viewer: SharedReport['viewer'];
  readonly first: FirstScreen;
}

/** The first screen of a report, for its own people. */
export interface OwnFirstScreen {
  /** The answer of `getReport` without the report's text, which is `first`. */
  readonly read: Omit<ReportRead, 'report'>;
  readonly first: FirstScreen;
}
