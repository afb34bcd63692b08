/**
 * Parses GitHub Flavored Markdown with two parsers that share no code, since they may disagree about what is text.
 */
import MarkdownIt from 'markdown-it';
import type { Nodes } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { gfm } from 'micromark-extension-gfm';

export function treeOf(markdown: string): Nodes {
  return fromMarkdown(markdown, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] });
}

export interface Reading {
  /** The visible text in document order; each block is on its own line. */
  readonly text: string;
  /** The structure without the words, and without the difference between text and inline code. */
  readonly shape: string;
}

export interface Readings {
  readonly tree: Nodes;
  /** The results, one for each parser. */
  readonly readings: readonly Reading[];
}

export function readingsOf(markdown: string): Readings {
  const tree = treeOf(markdown);
  return { tree, readings: [readTree(tree), readWithMarkdownIt(markdown)] };
}

/** Nodes within a line. */
const inline = new Set(['text', 'inlineCode', 'html', 'link', 'strong']);

function readTree(root: Nodes): Reading {
  const texts: string[] = [];
  const shapes: string[] = [];
  visit(root);
  return { text: texts.join(''), shape: withoutRepeats(shapes) };

  function visit(node: Nodes): void {
    if (node.type === 'text' || node.type === 'inlineCode') {
      texts.push(node.value);
      shapes.push('text');
      return;
    }
    if (node.type === 'code') texts.push(node.value);
    shapes.push(...shapesOf(node));
    if ('children' in node) for (const child of node.children) visit(child);
    shapes.push(`/${node.type}`);
    if (!inline.has(node.type)) texts.push('\n');
  }
}

function shapesOf(node: Nodes): string[] {
  if (node.type === 'heading') return [`h${node.depth}`];
  if (node.type === 'link') return [`link ${node.url}`];
  if (node.type === 'html') return [`html ${node.value}`];
  if (node.type === 'list') return [`list ${String(node.ordered)} ${String(node.start)}`];
  if (node.type === 'listItem') return [`item ${String(node.checked)}`];
  return [node.type];
}

const markdownIt = new MarkdownIt('default', { html: true });

function readWithMarkdownIt(markdown: string): Reading {
  const texts: string[] = [];
  const shapes: string[] = [];
  for (const token of markdownIt.parse(markdown, {})) {
    if (token.type === 'inline') for (const child of token.children ?? []) add(child);
    else add(token);
    if (token.nesting === -1 || token.type === 'fence') texts.push('\n');
  }
  return { text: texts.join(''), shape: withoutRepeats(shapes) };

  function add({ type, tag, content, attrs }: ReturnType<(typeof markdownIt)['parse']>[number]): void {
    if (type === 'softbreak') texts.push('\n');
    else if (type === 'fence') texts.push(content.replace(/\n$/, ''));
    else if (type !== 'html_inline') texts.push(content);
    const isText = ['text', 'text_special', 'code_inline', 'softbreak'].includes(type);
    shapes.push(
      isText
        ? 'text'
        : `${type} ${tag} ${JSON.stringify(attrs ?? [])}${type === 'html_inline' ? content : ''}`,
    );
  }
}

/** The HTML of a renderer that allows HTML within Markdown. */
export function htmlOfMarkdown(markdown: string): string {
  return markdownIt.render(markdown);
}

function withoutRepeats(shapes: readonly string[]): string {
  return shapes.filter((shape, index) => shape !== 'text' || shapes[index - 1] !== 'text').join('\n');
}
