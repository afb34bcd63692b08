/** Where a report goes unless the user chooses otherwise. */
export interface UploadPlace {
  readonly projectId?: string;
  readonly workspaceId?: string;
}
