/** The findings of a report as the list needs them: sorted, with their facet values. */
import type { ProjectedFinding, ReportProjection } from '@svc/contract';
import { locationOf, worstFirst } from '@svc/report/reading/labels';
import { facetNames } from '@svc/contract/facets';
import { facetValueOf } from '@svc/report/reading/facets';
import { visibleLine } from '@svc/report/reading/visible-text';
import { nextTask } from '../../ui/next-task.ts';

export interface Entry {
  readonly finding: ProjectedFinding;
  /** The values in the order of `facetNames`. */
  readonly values: readonly (string | undefined)[];
  /** The location, such as `src/a.ts:4-9`, or else the component. */
  readonly place: string;
}

/** Cached per list of findings, so that a page can prepare the entries before it renders them. */
const known = new WeakMap<readonly ProjectedFinding[], readonly Entry[]>();

/** Most severe first, otherwise in report order. */
export function entriesOf(findings: readonly ProjectedFinding[]): readonly Entry[] {
  let entries = known.get(findings);
  if (entries === undefined) {
    entries = worstFirst(findings).map((finding) => ({
      finding: withVisibleTitle(finding),
      values: facetNames.map((name) => facetValueOf(finding, name)),
      place: visibleLine(locationOf(finding.affected) || finding.affected.component),
    }));
    known.set(findings, entries);
  }
  return entries;
}

/** Prepares the entries of a report that has just been loaded, and resolves in the next task. */
export async function prepareEntries(report: ReportProjection | null): Promise<void> {
  if (report?.findings) entriesOf(report.findings);
  await nextTask();
}

/** Bidirectional control characters could make a title look like another one. */
function withVisibleTitle(finding: ProjectedFinding): ProjectedFinding {
  const title = visibleLine(finding.title);
  return title === finding.title ? finding : { ...finding, title };
}

/** Cached per finding object, so that a change of one finding keeps the texts of the others. */
const texts = new WeakMap<ProjectedFinding, string>();

/** The text of a finding that a search matches, in lower case. */
export function textOf(finding: ProjectedFinding): string {
  let text = texts.get(finding);
  if (text === undefined) {
    text = searchPartsOf(finding).join('\n').toLowerCase();
    texts.set(finding, text);
  }
  return text;
}

function searchPartsOf(finding: ProjectedFinding): readonly (string | undefined)[] {
  const { affected, evidence, corroboration = [], secretReferences = [], fixHistory = [] } = finding;
  return [
    finding.id,
    finding.title,
    finding.category,
    finding.category.replaceAll('_', ' '),
    locationOf(affected),
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
