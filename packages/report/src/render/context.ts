/** What a renderer may tell beside the projection. Given for owners and members of the workspace only. */
export interface RenderContext {
  /** Where the report is read. */
  readonly reportUrl?: string;
  readonly baseline?: Baseline;
}

/** The project's report before this one, as far as it matters here. */
export interface Baseline {
  /** The ids of those findings that were not in it. */
  readonly newFindingIds: ReadonlySet<string>;
}
