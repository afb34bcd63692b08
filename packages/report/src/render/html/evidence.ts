/** Evidence in its order: what it shows, where, and the code with the relevant lines. */
import type { ProjectedEvidence, ProjectedFinding } from '@svc/contract';
import { languageOf, linesOf } from '../../reading/snippets.ts';
import type { CodeWriter } from './code.ts';
import { proseHtml } from './prose.ts';
import { joined, markup, type Html } from './template.ts';
import { enumLabels } from '../../reading/labels.ts';

type Affected = ProjectedFinding['affected'];

/** @param label names the finding and the list, for screen readers that reach the code directly. */
export function evidenceHtml(
  items: readonly ProjectedEvidence[],
  affected: Affected,
  label: string,
  code: CodeWriter,
): Html {
  return markup`<ol class="evidence">${items.map((item, index) => itemHtml(item, affected, `${label} ${index + 1}`, code))}</ol>`;
}

function itemHtml(item: ProjectedEvidence, affected: Affected, label: string, code: CodeWriter): Html {
  const { kind, description, snippet, location, redacted } = item;
  const source = joined(' · ', [
    markup`<b>${enumLabels[kind]}</b>`,
    location ? markup`<code>${location}</code>` : undefined,
    redacted ? markup`Secrets redacted` : undefined,
  ]);
  const block = snippet
    ? code({
        text: snippet,
        label: `Code, ${label}`,
        language: languageOf(item, affected),
        lines: linesOf(item, affected),
      })
    : undefined;
  return markup`<li><p class="source">${source}</p>${proseHtml(description, label, code)}${block}</li>`;
}
