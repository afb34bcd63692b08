/**
 * The first screen of a report, sent with its page and made from the viewer's own projection, so that the viewer does
 * not wait for the whole report. The page reads the whole report through the API.
 */
import type { ReportProjection, ReportRead, ShareCover, SharedReport } from './projections.ts';
import type { FacetName } from './facets.ts';
import type { Severity, SeverityCounts } from './severity.ts';

/** A first screen is whole only if it has at most this many findings. */
export const FIRST_SCREEN_FINDINGS_MAX = 50;

/** Findings of one rule; those without a rule are grouped by their category. */
export interface RuleGroup {
  /** Identifies the group within the report. */
  readonly key: string;
  /** The rule's id, or the label of the category. */
  readonly name: string;
  /** The title of the findings if they all have the same one. */
  readonly title: string | null;
  /** The highest severity in the group. */
  readonly severity: Severity;
  readonly count: number;
}

/** Totals over all findings of a projection. */
export interface FindingTotals {
  readonly findings: number;
  /** Open findings; null if the projection hides statuses. */
  readonly open: SeverityCounts | null;
  /** The first groups by rule, most severe first. */
  readonly rules: readonly RuleGroup[];
  /** The values by facet, most frequent first; at most as many as a facet menu lists. */
  readonly facets: Readonly<Record<FacetName, readonly (readonly [value: string, count: number])[]>>;
}

export interface FirstScreen {
  /** The projection. If it is not whole, it has no `coverage` and only as many of the most severe findings as fit. */
  readonly report: ReportProjection;
  readonly isWhole: boolean;
  /** Null where the projection lists no findings. */
  readonly totals: FindingTotals | null;
}

/** The first screen of a share link, for one viewer. */
export interface SharedFirstScreen {
  readonly viewer: SharedReport['viewer'];
  readonly share: ShareCover;
  readonly first: FirstScreen;
}

/** The first screen of a report, for its owner and the members of its workspace. */
export interface OwnFirstScreen {
  /**
   * The response of `getReport` without the report, of which `first` has the beginning. There are no decisions if the
   * report has too many findings to be whole.
   */
  readonly read: Omit<ReportRead, 'report'>;
  readonly first: FirstScreen;
}
