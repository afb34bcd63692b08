import type { ShareCover } from '@svc/contract';

/** What a renderer may show in addition to the projection. All but the cover is given for owners and members only. */
export interface RenderContext {
  /** The URL of the report. */
  readonly reportUrl?: string;
  readonly baseline?: Baseline;
  /** The cover of the share, for its viewers. */
  readonly cover?: ShareCover;
}

/** The project's previous report. */
export interface Baseline {
  /** The ids of the findings that it did not have. */
  readonly newFindingIds: ReadonlySet<string>;
}
