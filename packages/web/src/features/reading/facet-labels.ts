/** The names of the facets and of their values. */
import { labelOf } from '@svc/report/reading/labels';
import type { FacetName } from '@svc/contract/facets';

export const facetLabels: Readonly<Record<FacetName, string>> = {
  severity: 'Severity',
  verification: 'Verification',
  status: 'Status',
  category: 'Category',
  tool: 'Tool',
  rule: 'Rule',
  component: 'Component',
  folder: 'Folder',
};

const textFacets: ReadonlySet<FacetName> = new Set(['tool', 'rule', 'component', 'folder']);

/** Values from the text of findings are shown unchanged; enum values get a label. */
export function valueLabel(name: FacetName, value: string): string {
  return textFacets.has(name) ? value : labelOf(value);
}
