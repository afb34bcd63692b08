/** By what the findings of a report can be told apart. */
import type { ProjectedFinding } from '../projections.ts';

export const facetNames = ['severity', 'verification', 'status', 'category', 'component', 'folder'] as const;
export type FacetName = (typeof facetNames)[number];

/** Undefined for a finding that has none, as one without a file has no folder. */
export function facetValueOf(finding: ProjectedFinding, name: FacetName): string | undefined {
  if (name === 'status') return finding.status ?? 'open';
  if (name === 'component') return finding.affected.component || undefined;
  if (name === 'folder') return folderOf(finding.affected.file);
  return finding[name];
}

/** `src/orders` of `src/orders/read.ts`; `.` for what lies at the top. */
function folderOf(file: string | undefined): string | undefined {
  if (!file) return undefined;
  const end = file.lastIndexOf('/');
  return end <= 0 ? '.' : file.slice(0, end);
}
