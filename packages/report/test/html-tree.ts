/** Parses HTML as browsers do. */
import { defaultTreeAdapter, parse, type DefaultTreeAdapterTypes, type ParserError } from 'parse5';

export type Element = DefaultTreeAdapterTypes.Element;
type Node = DefaultTreeAdapterTypes.ChildNode;

export interface Tree {
  /** In the order of the document. */
  readonly elements: readonly Element[];
  readonly errors: readonly string[];
}

export function treeOf(html: string): Tree {
  const errors: string[] = [];
  const onParseError = ({ code }: ParserError) => errors.push(code);
  return { elements: parse(html, { onParseError }).childNodes.flatMap(elementsOf), errors };
}

function elementsOf(node: Node): Element[] {
  if (!defaultTreeAdapter.isElementNode(node)) return [];
  return [node, ...node.childNodes.flatMap(elementsOf)];
}

export function textOf(node: Node): string {
  if (defaultTreeAdapter.isTextNode(node)) return node.value;
  return defaultTreeAdapter.isElementNode(node) ? node.childNodes.map(textOf).join('') : '';
}

export function attribute(element: Element, name: string): string | undefined {
  return element.attrs.find((one) => one.name === name)?.value;
}

/** The element with this id, or the first with this tag. */
export function elementOf(tree: Tree, name: string): Element {
  const found = tree.elements.find(
    (element) => element.tagName === name || attribute(element, 'id') === name,
  );
  if (!found) throw new Error(`no ${name}`);
  return found;
}

export function elementsNamed({ elements }: Tree, ...names: string[]): readonly Element[] {
  return elements.filter(({ tagName }) => names.includes(tagName));
}
