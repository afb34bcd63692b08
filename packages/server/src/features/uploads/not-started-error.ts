/** The findings of a project are not counted yet: its newest report must be counted first. */
export class NotStartedError extends Error {
  override readonly name = 'NotStartedError';
  readonly projectId: string;
  constructor(projectId: string) {
    super('Earlier reports of the project are not counted yet.');
    this.projectId = projectId;
  }
}
