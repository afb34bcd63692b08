const topic = (kind: string, ...ids: readonly string[]) => [kind, ...ids].join(':');

/** The names of all topics that hints can have. */
export const topics = {
  /** Progress events were stored for a report. */
  progress: (reportId: string) => topic('progress', reportId),
  /** A report has expired, was deleted, or ended with its project, workspace or owner. */
  report: (reportId: string) => topic('report', reportId),
  /**
   * The response for the report has changed: it became final, or a triage decision was made or has lapsed.
   * The report still exists.
   */
  reportChanged: (reportId: string) => topic('report-changed', reportId),
  /** A prepared projection of a report was created or deleted, or has another triage decision. */
  projection: (reportId: string, policyDigest: string) => topic('projection', reportId, policyDigest),
  /** A share was changed or revoked. */
  share: (shareId: string) => topic('share', shareId),
  /** A user's permissions have changed: sessions, a device or a membership, or the account was deleted. */
  user: (userId: string) => topic('user', userId),
} as const;
