/** An overview of the findings, each with a link to its article. */
import type { ProjectedFinding } from '@svc/contract';
import { severityBadge } from './signs.ts';
import { markup, type Html } from './template.ts';
import { counted, locationOf, enumLabels } from '../../reading/labels.ts';
import { ruleSectionsOf, type RuleSection } from './rule-sections.ts';

/** A longer list is grouped by rule. */
const LISTED_MAX = 30;

export function* contentsParts(findings: readonly ProjectedFinding[]): Generator<string> {
  yield `<nav class="contents" aria-labelledby="contents">
<h2 id="contents">Contents</h2>
<table><caption class="withoutFocus">${findings.length > LISTED_MAX ? 'Findings by rule' : 'Findings'}, the most severe first</caption>
<thead><tr><th scope="col">Severity</th><th scope="col">Finding</th><th scope="col">Verification</th></tr></thead>
<tbody>
`;
  if (findings.length <= LISTED_MAX) for (const finding of findings) yield rowHtml(finding).toString();
  else
    for (const group of ruleSectionsOf(findings)) {
      yield groupHtml(group).toString();
      for (const finding of group.findings) yield rowHtml(finding).toString();
    }
  yield `</tbody></table>
</nav>
`;
}

/** The heading of a group begins a `tbody` of its own, so that it names the rows of the group. */
function groupHtml({ name, isRule, findings }: RuleSection): Html {
  const title = isRule ? markup`<code>${name}</code>` : markup`${name}`;
  return markup`</tbody><tbody><tr class="group"><th colspan="3" scope="rowgroup">${title} <span class="quiet">${counted(findings.length, 'finding')}</span></th></tr>
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
