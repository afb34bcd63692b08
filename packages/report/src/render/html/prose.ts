/** The prose of findings as paragraphs, lists, code and addresses of the web. */
import { proseOf, type ProseBlock } from '@svc/contract/reading/prose';
import type { ProseInline } from '@svc/contract/reading/prose-inline';
import { addressesIn } from '@svc/contract/reading/web-addresses';
import type { CodeWriter } from './code.ts';
import { markup, type Html } from './template.ts';

/** @param label names the text for those who come upon its code by itself. */
export function proseHtml(text: string, label: string, code: CodeWriter): readonly Html[] {
  return proseOf(text).map((block) => blockHtml(block, label, code));
}

function blockHtml(block: ProseBlock, label: string, code: CodeWriter): Html {
  if (block.kind === 'paragraph') return markup`<p dir="auto">${block.content.map(inlineHtml)}</p>`;
  if (block.kind === 'code') return code({ ...block, label: `Code, ${label}` });
  const { ordered, start } = block;
  const items = block.items.map((blocks) => itemHtml(blocks, label, code));
  if (!ordered) return markup`<ul>${items}</ul>`;
  return start === 1 ? markup`<ol>${items}</ol>` : markup`<ol start="${start}">${items}</ol>`;
}

function itemHtml(blocks: readonly ProseBlock[], label: string, code: CodeWriter): Html {
  return markup`<li>${blocks.map((block) => blockHtml(block, label, code))}</li>`;
}

function inlineHtml({ kind, text }: ProseInline): Html {
  if (kind === 'code') return markup`<code>${text}</code>`;
  return markup`${addressesIn(text).map((part) => (part.isAddress ? linkHtml(part.text) : markup`${part.text}`))}`;
}

/** @param address of the web. */
export function linkHtml(address: string): Html {
  return markup`<a href="${address}" rel="noopener noreferrer nofollow">${address}</a>`;
}
