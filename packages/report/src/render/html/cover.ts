/** What a reader sees first: whose report it is, what it comes to, and how it was made. */
import type { ReportProjection, Severity } from '@svc/contract';
import { findingStatuses, severities } from '@svc/contract/words';
import type { RenderContext } from '../context.ts';
import { counted, duration, labelOf } from '@svc/contract/labels';
import { countsOf, verdictOf, type Counts } from '@svc/contract/reading/verdict';
import { severitySign } from './signs.ts';
import { joined, markup, type Html } from './template.ts';
import { moment } from './words.ts';

export function coverHtml(projection: ReportProjection, context: RenderContext): Html {
  const { project, redactionNotice } = projection;
  const counts = countsOf(projection);
  const verdict = verdictOf(projection);
  return markup`<header class="cover">
${
  project?.name
    ? markup`<p class="kind">Security report</p>
<h1 dir="auto">${project.name}</h1>`
    : markup`<h1>Security report</h1>`
}
${verdict === undefined ? undefined : markup`<p class="verdict">${verdict}</p>`}
${counts && counts.total > 0 ? chart(counts) : undefined}
${noted(projection, context)}
${redactionNotice === undefined ? undefined : markup`<p class="notice" dir="auto">${redactionNotice}</p>`}
${facts(projection, context)}
</header>`;
}

/** The bar is drawn to the width of the page, so its shapes are rectangles and nothing else. */
const BAR_WIDTH = 1000;
const GAP = 3;
/** So that one finding among ten thousand is seen. */
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

/** What has become of the findings, and how far the scan looked. */
function noted(projection: ReportProjection, { baseline }: RenderContext): Html | undefined {
  const { findings, coverageAreas = [], limitations = [] } = projection;
  const fresh = findings?.filter(({ id }) => baseline?.newFindingIds.has(id)).length;
  const covered = coverageAreas.filter(({ status }) => status === 'covered').length;
  const parts = [
    baseline && fresh !== undefined ? markup`${fresh} new since the report before` : undefined,
    ...statusParts(findings ?? []),
    coverageAreas.length > 0
      ? markup`<a href="#coverage">${covered} of ${counted(coverageAreas.length, 'area')} covered</a>`
      : undefined,
    limitations.length > 0
      ? markup`<a href="#limitations">${counted(limitations.length, 'limitation')}</a>`
      : undefined,
  ];
  const shown = joined(' · ', parts);
  return shown && markup`<p class="noted">${shown}</p>`;
}

/** Said only when something has become of a finding. */
function statusParts(findings: NonNullable<ReportProjection['findings']>): Html[] {
  const counts = new Map<string, number>();
  for (const { status } of findings)
    if (status !== undefined) counts.set(status, (counts.get(status) ?? 0) + 1);
  if ([...counts.keys()].every((status) => status === 'open')) return [];
  return findingStatuses
    .filter((status) => counts.has(status))
    .map((status) => markup`${counts.get(status)} ${labelOf(status).toLowerCase()}`);
}

type Fact = readonly [name: string, value: Html | undefined];

function facts(projection: ReportProjection, { reportUrl }: RenderContext): Html | undefined {
  const { project, scan, methodologyVersion, projectedFor, generatedAt } = projection;
  const all: Fact[] = [
    ['Repository', code(project?.repositoryUrl)],
    ['Commit', scan && commitOf(scan)],
    [
      'Scanned',
      scan && joined(' · ', [moment(scan.finishedAt), plain(duration(scan.startedAt, scan.finishedAt))]),
    ],
    ['Effort', scan && effortOf(scan)],
    [
      'Agent',
      scan?.agent &&
        markup`<bdi>${[scan.agent.name, scan.agent.version, scan.agent.model].filter(Boolean).join(' ')}</bdi>`,
    ],
    ['Tools', toolsOf(scan?.tools ?? [])],
    [
      'Machine',
      scan?.host &&
        markup`<bdi>${scan.host.osFamily} ${scan.host.arch}</bdi>, CLI <bdi>${scan.host.cliVersion}</bdi>`,
    ],
    ['Default branch', code(project?.defaultBranch)],
    [
      'Languages',
      project?.languages?.length ? markup`<bdi>${project.languages.join(', ')}</bdi>` : undefined,
    ],
    ['Files', plain(project?.fileCount)],
    ['Methodology', plain(methodologyVersion)],
    ['Generated', generatedAt === undefined ? undefined : moment(generatedAt)],
    ['Prepared for', plain(projectedFor.label)],
    ['Online', reportUrl === undefined ? undefined : onlineOf(reportUrl)],
  ];
  const shown = all.filter(([, value]) => value !== undefined);
  if (shown.length === 0) return undefined;
  return markup`<dl class="facts">${shown.map(([name, value]) => markup`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`;
}

function plain(value: string | number | undefined): Html | undefined {
  return value === undefined || value === '' ? undefined : markup`<bdi>${value}</bdi>`;
}

function code(value: string | undefined): Html | undefined {
  return value ? markup`<code>${value}</code>` : undefined;
}

type Scan = NonNullable<ReportProjection['scan']>;

function commitOf({ commit, branch }: Scan): Html | undefined {
  return joined(' on ', [code(commit), code(branch)]);
}

function effortOf({ effortRequested, effortResolved }: Scan): Html {
  return effortRequested === effortResolved
    ? markup`${effortResolved}`
    : markup`${effortResolved}, asked for as ${effortRequested}`;
}

function toolsOf(tools: NonNullable<Scan['tools']>): Html | undefined {
  const said = tools.map(({ name, version, findings }) => {
    const found = findings === undefined ? '' : ` (${counted(findings, 'finding')})`;
    return markup`<bdi>${[name, version].filter(Boolean).join(' ')}</bdi>${found}`;
  });
  return joined(', ', said);
}

function onlineOf(reportUrl: string): Html {
  return /^https?:\/\//i.test(reportUrl)
    ? markup`<a href="${reportUrl}" rel="noopener noreferrer nofollow">${reportUrl}</a>`
    : markup`<code>${reportUrl}</code>`;
}
