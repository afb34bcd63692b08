/**
 * Links within a paragraph, `[text](https://…)`, to web addresses only. A text that looks like an address other than
 * its target is shown with the target, so that no link misleads. Time is linear in the text.
 */
import { linksIn } from './link-syntax.ts';
import type { ProseInline } from './prose-inline.ts';
import { isWebAddress } from './web-addresses.ts';

export interface ProseLink {
  readonly kind: 'link';
  /** Never empty. */
  readonly text: string;
  /** A web address. */
  readonly address: string;
}

export type RichInline = ProseInline | ProseLink;

export function linkedInline(parts: readonly ProseInline[]): readonly RichInline[] {
  return parts.flatMap((part) =>
    part.kind === 'text' && part.text.includes('](') ? partsOf(part.text) : [part],
  );
}

/** An image becomes a link with the text of the image. */
function partsOf(text: string): RichInline[] {
  const parts: RichInline[] = [];
  let from = 0;
  for (const { text: label, target: address, start, end } of linksIn(text)) {
    const shown = label.trim();
    if (!isWebAddress(address) || shown === '') continue;
    if (start > from) parts.push({ kind: 'text', text: text.slice(from, start) });
    parts.push({ kind: 'link', text: isMisleading(shown, address) ? address : shown, address });
    from = end;
  }
  if (from < text.length) parts.push({ kind: 'text', text: text.slice(from) });
  return parts;
}

const LOOKS_LIKE_ADDRESS = /:\/\/|^www\.|^[\w-]+(?:\.[\w-]+)+(?:[/:?#]|$)/i;

function isMisleading(shown: string, address: string): boolean {
  return LOOKS_LIKE_ADDRESS.test(shown) && !address.toLowerCase().includes(shown.toLowerCase());
}
