/** The findings of a report as a list needs them: in their order, with what they are filtered by at hand. */
import type { ProjectedFinding } from '@svc/contract';
import { placeOf, worstFirst } from '@svc/contract/labels';
import { facetNames, facetValueOf } from '@svc/contract/reading/facets';
import { visibleLine } from '@svc/contract/reading/visible-text';

export interface Entry {
  readonly finding: ProjectedFinding;
  /** In the order of `facetNames`. */
  readonly values: readonly (string | undefined)[];
  /** `src/a.ts:4-9`, or else what the finding is about. */
  readonly place: string;
}

/** The most severe first, and otherwise as the report has them. */
export function entriesOf(findings: readonly ProjectedFinding[]): readonly Entry[] {
  return worstFirst(findings).map((finding) => ({
    finding: withVisibleTitle(finding),
    values: facetNames.map((name) => facetValueOf(finding, name)),
    place: visibleLine(placeOf(finding.affected) || finding.affected.component),
  }));
}

/** What turns the direction of writing would make a title read as another. */
function withVisibleTitle(finding: ProjectedFinding): ProjectedFinding {
  const title = visibleLine(finding.title);
  return title === finding.title ? finding : { ...finding, title };
}

/** Kept for as long as the finding is: a change of one finding leaves the texts of all others as they are. */
const texts = new WeakMap<ProjectedFinding, string>();

/** All of its words in lower case, to be looked through. */
export function textOf(finding: ProjectedFinding): string {
  let text = texts.get(finding);
  if (text === undefined) {
    text = wordsOf(finding).join('\n').toLowerCase();
    texts.set(finding, text);
  }
  return text;
}

function wordsOf(finding: ProjectedFinding): readonly (string | undefined)[] {
  const { affected, evidence, corroboration = [], secretReferences = [], fixHistory = [] } = finding;
  return [
    finding.id,
    finding.title,
    finding.category,
    finding.category.replaceAll('_', ' '),
    placeOf(affected),
    affected.component,
    affected.route,
    affected.origin,
    finding.summary,
    finding.impact,
    finding.remediation,
    finding.verificationPlan,
    finding.reproduction,
    ...[...evidence, ...corroboration].flatMap((item) => [item.description, item.location, item.snippet]),
    ...(finding.taxonomy ?? []),
    ...(finding.tags ?? []),
    ...(finding.references ?? []),
    ...secretReferences.flatMap(({ label, kind, location }) => [label, kind, location]),
    ...fixHistory.flatMap(({ note, changedFiles = [] }) => [note, ...changedFiles]),
  ];
}
