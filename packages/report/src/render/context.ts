import type { ShareCover } from '@svc/contract';

/**
 * What a renderer may show in addition to the projection. Everything except the cover is only for owners and members.
 */
export interface RenderContext {
  /** The URL of the report. */
  readonly reportUrl?: string;
  readonly baseline?: Baseline;
  /** The cover of the share, for its viewers. */
  readonly cover?: ShareCover;
}

/** The project's previous report. */
export interface Baseline {
  /** The ids of the findings that the previous report did not have. */
  readonly newFindingIds: ReadonlySet<string>;
}
