/** What the findings of a report can be filtered by. */
export const facetNames = [
  'severity',
  'verification',
  'status',
  'category',
  'tool',
  'rule',
  'component',
  'folder',
] as const;
export type FacetName = (typeof facetNames)[number];
