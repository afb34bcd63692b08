/** The value of a finding for each facet. */
import type { ProjectedFinding } from '@svc/contract';
import type { FacetName } from '@svc/contract/facets';
import { ruleIn, toolIn } from './tags.ts';

/** Undefined if the finding has no value: without a file it has no folder. */
export function facetValueOf(finding: ProjectedFinding, name: FacetName): string | undefined {
  if (name === 'status') return finding.status ?? 'open';
  if (name === 'tool') return toolIn(finding.tags);
  if (name === 'rule') return ruleIn(finding.tags);
  if (name === 'component') return finding.affected.component || undefined;
  if (name === 'folder') return folderOf(finding.affected.file);
  return finding[name];
}

/** `src/orders` for `src/orders/read.ts`; `.` for a file at the top. */
function folderOf(file: string | undefined): string | undefined {
  if (!file) return undefined;
  const end = file.lastIndexOf('/');
  return end <= 0 ? '.' : file.slice(0, end);
}
