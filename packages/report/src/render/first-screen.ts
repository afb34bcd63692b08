/**
 * The first screen of a report as JSON: the findings that a reader sees first, and how many there are of each kind. It is
 * made of the projection alone, as every file is, and of a small report it is the whole.
 */
import type { FindingTotals, FirstScreen, ProjectedFinding, ReportProjection } from '@svc/contract';
import { facetValueOf, type FacetName } from '@svc/contract/reading/facets';
import { severities } from '@svc/contract/words';

const FINDINGS_MAX = 50;
/** So that a page comes at once on a slow line too; a report beyond it is not sent whole. */
const LETTERS_MAX = 192 * 1024;
const FACET_VALUES_MAX = 50;

/** JSON that stays text where it stands in HTML: no parser of it sees an element's end or a comment. */
export function renderFirstScreen(projection: ReportProjection): string {
  return JSON.stringify(firstScreenOf(projection)).replaceAll('<', String.raw`\u003c`);
}

export function firstScreenOf(projection: ReportProjection): FirstScreen {
  const { findings } = projection;
  const totals = findings ? totalsOf(findings) : null;
  const isShort = (findings?.length ?? 0) <= FINDINGS_MAX;
  if (isShort && lettersOf(projection) <= LETTERS_MAX) return { report: projection, isWhole: true, totals };
  return { report: beginningOf(projection), isWhole: false, totals };
}

/** The header, and as many of the worst findings as there is room for. */
function beginningOf(projection: ReportProjection): ReportProjection {
  const { findings, coverage: _, ...rest } = projection;
  if (!findings) return rest;
  const worstFirst = findings.toSorted((one, other) => rankOf(one) - rankOf(other)).slice(0, FINDINGS_MAX);
  let leftLetters = LETTERS_MAX;
  const first: ProjectedFinding[] = [];
  for (const finding of worstFirst) {
    leftLetters -= lettersOf(finding);
    if (leftLetters < 0 && first.length > 0) break;
    first.push(finding);
  }
  return { ...rest, findings: first };
}

function rankOf({ severity }: ProjectedFinding): number {
  return severities.indexOf(severity);
}

function lettersOf(value: object): number {
  return JSON.stringify(value).length;
}

function totalsOf(findings: readonly ProjectedFinding[]): FindingTotals {
  const counted = (name: FacetName) => countsBy(findings, name);
  return {
    findings: findings.length,
    facets: {
      severity: counted('severity'),
      verification: counted('verification'),
      status: counted('status'),
      category: counted('category'),
      component: counted('component'),
      folder: counted('folder'),
    },
  };
}

function countsBy(findings: readonly ProjectedFinding[], facet: FacetName): (readonly [string, number])[] {
  const counts = new Map<string, number>();
  for (const finding of findings) {
    const value = facetValueOf(finding, facet);
    if (value !== undefined) counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  return [...counts].toSorted(byCountThenValue).slice(0, FACET_VALUES_MAX);
}

function byCountThenValue(
  [one, countOfOne]: readonly [string, number],
  [other, countOfOther]: readonly [string, number],
): number {
  return countOfOther - countOfOne || (one < other ? -1 : 1);
}
