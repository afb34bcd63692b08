/** The prose of findings as paragraphs, headings, lists, tables, code and links to web addresses. */
import type { RichInline } from '../../reading/prose-links.ts';
import { richProseOf, type RichBlock } from '../../reading/prose.ts';
import { addressesIn } from '../../reading/web-addresses.ts';
import type { CodeWriter } from './code.ts';
import { markup, type Html } from './template.ts';

interface Prose {
  /** Names the text for screen readers that reach its code directly. */
  readonly label: string;
  /** The level of headings within the text: one below the heading of the part that contains the text. */
  readonly level: 4 | 5;
  readonly code: CodeWriter;
}

/** @param label names the text for screen readers that reach its code directly. */
export function proseHtml(
  text: string,
  label: string,
  code: CodeWriter,
  level: Prose['level'] = 5,
): readonly Html[] {
  const prose = { label, level, code };
  return richProseOf(text).map((block) => blockHtml(block, prose));
}

function blockHtml(block: RichBlock, prose: Prose): Html {
  if (block.kind === 'paragraph') return markup`<p dir="auto">${block.content.map(inlineHtml)}</p>`;
  if (block.kind === 'heading') {
    const words = block.content.map(inlineHtml);
    return prose.level === 4 ? markup`<h4 dir="auto">${words}</h4>` : markup`<h5 dir="auto">${words}</h5>`;
  }
  if (block.kind === 'code') return prose.code({ ...block, label: `Code, ${prose.label}` });
  if (block.kind === 'table') return tableHtml(block, prose.label);
  const { ordered, start } = block;
  const items = block.items.map((blocks) => itemHtml(blocks, prose));
  if (!ordered) return markup`<ul>${items}</ul>`;
  return start === 1 ? markup`<ol>${items}</ol>` : markup`<ol start="${start}">${items}</ol>`;
}

function tableHtml({ head, rows }: Extract<RichBlock, { kind: 'table' }>, label: string): Html {
  const cells = (row: readonly (readonly RichInline[])[]) =>
    row.map((cell) => markup`<td dir="auto">${cell.map(inlineHtml)}</td>`);
  return markup`<div class="wide" tabindex="0" role="group" aria-label="${`Table, ${label}`}"><table><thead><tr>${head.map(
    (cell) => markup`<th scope="col" dir="auto">${cell.map(inlineHtml)}</th>`,
  )}</tr></thead><tbody>${rows.map((row) => markup`<tr>${cells(row)}</tr>`)}</tbody></table></div>`;
}

function itemHtml(blocks: readonly RichBlock[], prose: Prose): Html {
  return markup`<li>${blocks.map((block) => blockHtml(block, prose))}</li>`;
}

function inlineHtml(part: RichInline): Html {
  if (part.kind === 'code') return markup`<code>${part.text}</code>`;
  if (part.kind === 'link') return linkHtml(part.address, part.text);
  return markup`${addressesIn(part.text).map(({ text, isAddress }) => (isAddress ? linkHtml(text) : markup`${text}`))}`;
}

/** @param address a web address. */
export function linkHtml(address: string, text = address): Html {
  return markup`<a href="${address}" rel="noopener noreferrer nofollow">${text}</a>`;
}
