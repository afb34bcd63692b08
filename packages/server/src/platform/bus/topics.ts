/** The names of all topics: what a hint can be about. */
export const topics = {
  /** Progress events were stored for a report. */
  progress: (reportId: string) => `progress:${reportId}`,
  /** A report has expired, by hand or with what it belonged to. */
  report: (reportId: string) => `report:${reportId}`,
  /** What is told of a report has changed: it became final, or its findings were amended. It is still there. */
  amended: (reportId: string) => `amended:${reportId}`,
  /** What shares show of a report under one policy was prepared, released, or has another triage decision. */
  projection: (reportId: string, policyDigest: string) => `projection:${reportId}:${policyDigest}`,
  /** A link was changed or revoked. */
  share: (shareId: string) => `share:${shareId}`,
  /** What a user may see has changed: sessions, a device or a membership, or the account was deleted. */
  user: (userId: string) => `user:${userId}`,
} as const;
