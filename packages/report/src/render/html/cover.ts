/** The head of the document: what the sender says, the project, the verdict, and what was scanned. */
import type { ReportProjection, Severity } from '@svc/contract';
import { findingStatuses, severities } from '@svc/contract/enums';
import type { RenderContext } from '../context.ts';
import { counted, duration, labelOf } from '../../reading/labels.ts';
import { gapsOf, subjectsOf } from '../../reading/coverage.ts';
import { openVerdictOf } from '../../reading/open-counts.ts';
import { standingOf, standingTextOf } from '../../reading/standing.ts';
import { countsOf, type Counts } from '../../reading/verdict.ts';
import { code, factsHtml, plain } from './facts.ts';
import { shareCoverHtml } from './share-cover.ts';
import { severitySign } from './signs.ts';
import { constantMarkup, joined, markup, type Html } from './template.ts';
import { moment } from './time.ts';

export function coverHtml(projection: ReportProjection, context: RenderContext): Html {
  const { project, redactionNotice, coverageAreas } = projection;
  const { findings } = projection;
  // What is set aside or fixed is counted below.
  const counts = findings ? countsOf({ findings: [...standingOf(findings).open] }) : countsOf(projection);
  const verdict = openVerdictOf(projection);
  const standing = standingTextOf(projection);
  return markup`<header class="cover">
${shareCoverHtml(projection, context.cover)}${
    project?.name
      ? markup`<p class="kind">Security report</p>
<h1 dir="auto">${project.name}</h1>`
      : markup`<h1>Security report</h1>`
  }
${verdict === undefined ? undefined : markup`<p class="verdict">${verdict}</p>`}
${standing === undefined ? undefined : markup`<p class="standing">${standing}</p>`}
${counts && counts.total > 0 ? chart(counts) : undefined}
${gapsHtml(gapsOf(coverageAreas))}
${noted(projection, context)}
${redactionNotice === undefined ? undefined : markup`<p class="notice" dir="auto">${redactionNotice}</p>`}
${facts(projection, context)}
${verdict === undefined ? undefined : confidential}
</header>`;
}

const confidential = constantMarkup(
  '<p class="confidential">Confidential: this report describes weaknesses of a system. Share it only with people who fix or assess them.</p>',
);

function gapsHtml(gaps: ReturnType<typeof gapsOf>): Html | undefined {
  return (
    gaps &&
    markup`<div class="notice gaps"><p>${gaps.title}</p>
<ul>${gaps.lines.map((line) => markup`<li dir="auto">${line}</li>`)}</ul></div>`
  );
}

/** The bar is stretched to the width of the page, so it consists of rectangles only. */
const BAR_WIDTH = 1000;
const GAP = 3;
/** Makes one finding among ten thousand visible. */
const SEGMENT_WIDTH_MIN = 8;

function chart(counts: Counts): Html {
  const present = severities.filter((severity) => counts.bySeverity[severity] > 0);
  return markup`<figure class="severities"><svg class="bar" role="img" aria-labelledby="severities-title severities-text" viewBox="0 0 ${BAR_WIDTH} 10" preserveAspectRatio="none"><title id="severities-title">Findings by severity</title><desc id="severities-text">${present.map((severity) => `${counts.bySeverity[severity]} ${severity}`).join(', ')}</desc>${segments(present, counts.bySeverity)}</svg>
<figcaption><ul class="counts">${present.map((severity) => markup`<li>${severitySign(severity)}<b>${counts.bySeverity[severity]}</b> ${severity}</li>`)}</ul></figcaption></figure>`;
}

function segments(present: readonly Severity[], counts: Counts['bySeverity']): Html[] {
  const total = present.reduce((sum, severity) => sum + counts[severity], 0);
  const free = BAR_WIDTH - present.length * SEGMENT_WIDTH_MIN - (present.length - 1) * GAP;
  let x = 0;
  return present.map((severity) => {
    const width = SEGMENT_WIDTH_MIN + (free * counts[severity]) / total;
    const segment = markup`<rect class="${severity}" x="${x.toFixed(2)}" width="${width.toFixed(2)}" height="10"/>`;
    x += width + GAP;
    return segment;
  });
}

/** The status counts of the findings, and the extent of the scan. */
function noted(projection: ReportProjection, { baseline }: RenderContext): Html | undefined {
  const { findings, coverageAreas = [], limitations = [] } = projection;
  const fresh = findings?.filter(({ id }) => baseline?.newFindingIds.has(id)).length;
  const subjects = subjectsOf(coverageAreas);
  const covered = subjects.filter(({ status }) => status === 'covered').length;
  const parts = [
    baseline && fresh !== undefined ? markup`${fresh} new since the previous report` : undefined,
    ...statusParts(findings ?? []),
    subjects.length > 0
      ? markup`<a href="#coverage">${covered} of ${counted(subjects.length, 'area')} covered</a>`
      : undefined,
    limitations.length > 0
      ? markup`<a href="#limitations">${counted(limitations.length, 'limitation')}</a>`
      : undefined,
  ];
  const shown = joined(' · ', parts);
  return shown && markup`<p class="noted">${shown}</p>`;
}

/** Shown only when a finding has a status other than open. */
function statusParts(findings: NonNullable<ReportProjection['findings']>): Html[] {
  const counts = new Map<string, number>();
  for (const { status } of findings)
    if (status !== undefined) counts.set(status, (counts.get(status) ?? 0) + 1);
  if ([...counts.keys()].every((status) => status === 'open')) return [];
  return findingStatuses
    .filter((status) => counts.has(status))
    .map((status) => markup`${counts.get(status)} ${labelOf(status).toLowerCase()}`);
}

function facts(projection: ReportProjection, { reportUrl, cover }: RenderContext): Html | undefined {
  const { project, scan, projectedFor } = projection;
  const receiver = (cover?.sender ?? null) === null ? projectedFor.label : undefined;
  return factsHtml([
    ['Repository', code(project?.repositoryUrl)],
    ['Commit', scan && joined(' on ', [code(scan.commit), code(scan.branch)])],
    [
      'Scanned',
      scan && joined(' · ', [moment(scan.finishedAt), plain(duration(scan.startedAt, scan.finishedAt))]),
    ],
    ['Prepared for', plain(receiver)],
    ['Online', reportUrl === undefined ? undefined : onlineOf(reportUrl)],
  ]);
}

function onlineOf(reportUrl: string): Html {
  return /^https?:\/\//i.test(reportUrl)
    ? markup`<a href="${reportUrl}" rel="noopener noreferrer nofollow">${reportUrl}</a>`
    : markup`<code>${reportUrl}</code>`;
}
