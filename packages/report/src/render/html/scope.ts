/** What the scan covered, what it did not, and who authorized it. */
import type { ReportProjection } from '@svc/contract';
import { labelOf } from '../../reading/labels.ts';
import { areaBadge } from './signs.ts';
import { joined, markup, type Html } from './template.ts';
import { moment } from './time.ts';

export function scopeHtml({ coverageAreas, coverage, limitations, authorization }: ReportProjection): Html {
  return markup`${coverageHtml(coverageAreas ?? [], coverage ?? [])}${limitationsHtml(limitations ?? [])}${authorization && authorizationHtml(authorization)}`;
}

type Areas = NonNullable<ReportProjection['coverageAreas']>;

function coverageHtml(areas: Areas, coverage: readonly string[]): Html | undefined {
  if (areas.length === 0 && coverage.length === 0) return undefined;
  return markup`<section aria-labelledby="coverage"><h2 id="coverage">Coverage</h2>
${areas.length > 0 ? areasHtml(areas) : undefined}
${coverage.length > 0 ? listHtml(coverage) : undefined}
</section>
`;
}

function areasHtml(areas: Areas): Html {
  return markup`<table class="areas"><caption class="withoutFocus">Areas and how far they were covered</caption>
<thead><tr><th scope="col">Area</th><th scope="col">Coverage</th></tr></thead>
<tbody>${areas.map(
    ({ name, status, note }) =>
      markup`<tr><th scope="row"><span dir="auto">${name}</span>${note ? markup`<span class="quiet" dir="auto">${note}</span>` : undefined}</th><td>${areaBadge(status)}</td></tr>
`,
  )}</tbody></table>`;
}

function limitationsHtml(limitations: readonly string[]): Html | undefined {
  if (limitations.length === 0) return undefined;
  return markup`<section aria-labelledby="limitations"><h2 id="limitations">Limitations</h2>
${listHtml(limitations)}
</section>
`;
}

type Authorization = NonNullable<ReportProjection['authorization']>;

function authorizationHtml({ basis, scope, grantedBy, expiresAt }: Authorization): Html {
  const by = joined(', ', [
    markup`${labelOf(basis)}`,
    grantedBy ? markup`granted by <bdi>${grantedBy}</bdi>` : undefined,
    expiresAt === undefined ? undefined : markup`until ${moment(expiresAt)}`,
  ]);
  return markup`<section aria-labelledby="authorization"><h2 id="authorization">Authorization</h2>
<p>${by}</p>
${scope.length > 0 ? listHtml(scope) : undefined}
</section>
`;
}

function listHtml(texts: readonly string[]): Html {
  return markup`<ul class="texts">${texts.map((text) => markup`<li dir="auto">${text}</li>`)}</ul>`;
}
