/** The page for managers: the counts, the worst open findings, and what was not covered. */
import type { ProjectedFinding, ReportProjection } from '@svc/contract';
import { severities } from '@svc/contract/enums';
import { counted, enumLabels, worstFirst } from '../../reading/labels.ts';
import { subjectsOf } from '../../reading/coverage.ts';
import { standingOf } from '../../reading/standing.ts';
import { areaBadge, severityBadge } from './signs.ts';
import { markup, type Html } from './template.ts';

const WORST_MAX = 5;
const GAPS_MAX = 10;

/** Undefined if the projection has nothing to sum up. */
export function summaryHtml({ findings = [], coverageAreas = [] }: ReportProjection): Html | undefined {
  const subjects = subjectsOf(coverageAreas);
  if (findings.length === 0 && subjects.length === 0) return undefined;
  return markup`<section aria-labelledby="summary"><h2 id="summary">Summary</h2>
${findings.length > 0 ? countsHtml(findings) : undefined}
${worstHtml(worstFirst(standingOf(findings).open))}
${subjects.length > 0 ? gapsHtml(subjects) : undefined}
</section>
`;
}

function countsHtml(findings: readonly ProjectedFinding[]): Html {
  const { open, setAside, fixed } = standingOf(findings);
  const columns = [
    ['Open', open],
    ...(setAside.length > 0 ? [['Set aside', setAside] as const] : []),
    ...(fixed.length > 0 ? [['Fixed', fixed] as const] : []),
  ] as const;
  const count = (of: readonly ProjectedFinding[], severity: string) =>
    of.filter((finding) => finding.severity === severity).length;
  const rows = severities.map(
    (severity) =>
      markup`<tr><th scope="row">${severityBadge(severity)}</th>${columns.map(([, of]) => markup`<td>${count(of, severity)}</td>`)}</tr>
`,
  );
  return markup`<table class="figures"><caption class="withoutFocus">Findings by severity and status</caption>
<thead><tr><th scope="col">Severity</th>${columns.map(([name]) => markup`<th scope="col">${name}</th>`)}</tr></thead>
<tbody>${rows}<tr><th scope="row"><b>All</b></th>${columns.map(([, of]) => markup`<td><b>${of.length}</b></td>`)}</tr></tbody></table>
`;
}

function worstHtml(open: readonly ProjectedFinding[]): Html | undefined {
  if (open.length === 0) return undefined;
  const worst = open.slice(0, WORST_MAX);
  return markup`<h3>${open.length > worst.length ? `The ${worst.length} most severe of ${open.length} open findings` : 'Open findings'}</h3>
<ol class="worst">${worst.map(
    ({ id, title, severity, verification }) =>
      markup`<li>${severityBadge(severity)} <a href="#${id}" dir="auto">${title}</a> <span class="quiet">${enumLabels[verification]}</span></li>
`,
  )}</ol>
`;
}

type Area = NonNullable<ReportProjection['coverageAreas']>[number];

function gapsHtml(subjects: readonly Area[]): Html {
  const gaps = subjects.filter(({ status }) => status !== 'covered');
  if (gaps.length === 0)
    return markup`<h3>Areas not fully covered</h3>
<p>None: the scan covered all of its ${counted(subjects.length, 'area')}.</p>
`;
  const more = gaps.length - GAPS_MAX;
  return markup`<h3>Areas not fully covered</h3>
<ul class="worst">${gaps.slice(0, GAPS_MAX).map(({ name, status }) => markup`<li>${areaBadge(status)} <span dir="auto">${name}</span></li>`)}</ul>
${more > 0 ? markup`<p>And <a href="#coverage">${more} more</a>.</p>` : undefined}
`;
}
