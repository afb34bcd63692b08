/** The sections of a workspace, in the order of the header. The search lists them too. */
export const sections = [
  { label: 'Projects', to: '/workspaces/$id/projects' },
  { label: 'Findings', to: '/workspaces/$id/findings' },
  { label: 'Shares', to: '/workspaces/$id/shares' },
] as const;
