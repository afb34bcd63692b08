/** An overview of the findings, each with a link to its article. */
import type { ProjectedFinding } from '@svc/contract';
import { severityBadge } from './signs.ts';
import { markup, type Html } from './template.ts';
import { locationOf, enumLabels } from '../../reading/labels.ts';

export function* contentsParts(findings: readonly ProjectedFinding[]): Generator<string> {
  yield `<nav class="contents" aria-labelledby="contents">
<h2 id="contents">Contents</h2>
<table><caption class="withoutFocus">Findings, the most severe first</caption>
<thead><tr><th scope="col">Severity</th><th scope="col">Finding</th><th scope="col">Verification</th></tr></thead>
<tbody>
`;
  for (const finding of findings) yield rowHtml(finding).toString();
  yield `</tbody></table>
</nav>
`;
}

function rowHtml({ id, title, severity, verification, status, affected }: ProjectedFinding): Html {
  const location = locationOf(affected) || affected.component;
  const standing =
    status === undefined || status === 'open'
      ? undefined
      : markup`<span class="quiet">${enumLabels[status]}</span>`;
  return markup`<tr><td>${severityBadge(severity)}</td><th scope="row"><a href="#${id}" dir="auto">${title}</a><span class="quiet"><bdi>${id}</bdi> <code>${location}</code></span></th><td>${enumLabels[verification]}${standing}</td></tr>
`;
}
