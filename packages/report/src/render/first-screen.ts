/**
 * The first screen of a report as JSON: the findings that a viewer sees first, and counts of all findings.
 * Like every export, it depends on the projection alone. For a small report it is the whole projection.
 */
import type { FindingTotals, FirstScreen, ProjectedFinding, ReportProjection } from '@svc/contract';
import type { FacetName } from '@svc/contract/facets';
import { FIRST_SCREEN_FINDINGS_MAX } from '@svc/contract/first-screen';
import { facetValueOf } from '../reading/facets.ts';
import { openCountsOf } from '../reading/open-counts.ts';
import { ruleGroupsOf } from '../reading/rule-groups.ts';
import { severities } from '@svc/contract/enums';

/**
 * The limit for a whole report, or for the first findings of a larger one, so that a page loads fast on a slow line. In
 * UTF-16 units.
 */
const JSON_LENGTH_MAX = 192 * 1024;
const FACET_VALUES_MAX = 50;
const RULES_MAX = 50;

export function renderFirstScreen(projection: ReportProjection): string {
  return inertText(JSON.stringify(firstScreenOf(projection)));
}

/** JSON that is safe within HTML: no parser finds the end of an element or a comment in it. */
export function inertText(json: string): string {
  return json.replaceAll('<', String.raw`\u003c`);
}

export function firstScreenOf(projection: ReportProjection): FirstScreen {
  const { findings } = projection;
  const totals = findings ? totalsOf(findings) : null;
  const isShort = (findings?.length ?? 0) <= FIRST_SCREEN_FINDINGS_MAX;
  if (isShort && jsonLengthOf(projection) <= JSON_LENGTH_MAX)
    return { report: projection, isWhole: true, totals };
  return { report: beginningOf(projection), isWhole: false, totals };
}

/** The header, and as many of the worst findings as fit. */
function beginningOf(projection: ReportProjection): ReportProjection {
  const { findings, coverage: _, ...rest } = projection;
  if (!findings) return rest;
  const worstFirst = findings
    .toSorted((one, other) => rankOf(one) - rankOf(other))
    .slice(0, FIRST_SCREEN_FINDINGS_MAX);
  let remaining = JSON_LENGTH_MAX;
  const first: ProjectedFinding[] = [];
  for (const finding of worstFirst) {
    remaining -= jsonLengthOf(finding);
    if (remaining < 0 && first.length > 0) break;
    first.push(finding);
  }
  return { ...rest, findings: first };
}

function rankOf({ severity }: ProjectedFinding): number {
  return severities.indexOf(severity);
}

function jsonLengthOf(value: object): number {
  return JSON.stringify(value).length;
}

function totalsOf(findings: readonly ProjectedFinding[]): FindingTotals {
  const counted = (name: FacetName) => countsBy(findings, name);
  return {
    findings: findings.length,
    open: openCountsOf(findings),
    rules: ruleGroupsOf(findings).slice(0, RULES_MAX),
    facets: {
      severity: counted('severity'),
      verification: counted('verification'),
      status: counted('status'),
      category: counted('category'),
      tool: counted('tool'),
      rule: counted('rule'),
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
