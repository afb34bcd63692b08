/** What a renderer may show beside the projection. Given for owners and members of the workspace only. */
export interface RenderContext {
  /** The URL of the report. */
  readonly reportUrl?: string;
  readonly baseline?: Baseline;
}

/** The project's previous report. */
export interface Baseline {
  /** The ids of the findings that it did not have. */
  readonly newFindingIds: ReadonlySet<string>;
}
