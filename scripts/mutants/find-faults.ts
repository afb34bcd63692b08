// Finds the positions in a source file where a fault can be planted: an operator, a condition, an await, a statement,
// the order of arguments, a literal, a returned value. Each fault replaces one range of the text with another
// expression that compiles, so that planting never needs types.
import { parseSync } from 'oxc-parser';

export const faultKinds = [
  'operator',
  'condition',
  'await',
  'statement',
  'arguments',
  'literal',
  'return',
] as const;
export type FaultKind = (typeof faultKinds)[number];

export interface Fault {
  /** The path in the repository, with forward slashes. */
  readonly file: string;
  readonly kind: FaultKind;
  /** Counted from 1. */
  readonly line: number;
  /** The trimmed text of that line, which identifies the fault when lines move. */
  readonly lineText: string;
  /** UTF-16 offsets of the range that is replaced, the end excluded. */
  readonly start: number;
  readonly end: number;
  readonly original: string;
  readonly replacement: string;
}

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [field: string]: unknown;
}

const swappedOperators: Readonly<Record<string, string>> = {
  '===': '!==',
  '!==': '===',
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '+': '-',
  '-': '+',
  '*': '/',
  '/': '*',
  '%': '*',
  '&&': '||',
  '||': '&&',
  '??': '&&',
  '&': '|',
  '|': '&',
};

/** Types, imports and re-exports have no behaviour, so they can have no fault. */
const skippedTypes =
  /^(?:TS(?!AsExpression|SatisfiesExpression|NonNullExpression)|Import|ExportAll|Directive|TemplateElement|JSXText)/;

/** @throws Error when the file cannot be parsed. */
export function findFaults(file: string, source: string): Fault[] {
  const { program, errors } = parseSync(file, source);
  if (errors.length > 0) throw new Error(`${file} cannot be parsed: ${errors[0]?.message}`);
  const lineStarts = [0, ...[...source.matchAll(/\n/g)].map(({ index }) => index + 1)];
  const faults: Fault[] = [];

  const textOf = ({ start, end }: Node) => source.slice(start, end);

  function add(kind: FaultKind, { start, end }: Pick<Node, 'start' | 'end'>, replacement: string): void {
    const line = lineStarts.findLastIndex((at) => at <= start) + 1;
    const lineStart = lineStarts[line - 1] ?? 0;
    const lineText = source.slice(lineStart, lineStarts[line] ?? source.length).trim();
    faults.push({
      file,
      kind,
      line,
      lineText,
      start,
      end,
      original: source.slice(start, end),
      replacement,
    });
  }

  function visit(node: Node, parent: Node | null): void {
    if (skippedTypes.test(node.type)) return;
    addFaultsOf(node, parent);
    for (const [field, value] of Object.entries(node)) {
      if (isSkippedField(node, field)) continue;
      for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) visit(child, node);
    }
  }

  function addFaultsOf(node: Node, parent: Node | null): void {
    switch (node.type) {
      case 'BinaryExpression':
      case 'LogicalExpression': {
        const { left, right, operator } = node as Node & { left: Node; right: Node; operator: string };
        const swapped = swappedOperators[operator];
        if (swapped === undefined || left.type === 'PrivateIdentifier') return;
        add('operator', node, `(${textOf(left)}) ${swapped} (${textOf(right)})`);
        return;
      }
      case 'IfStatement':
      case 'ConditionalExpression': {
        const test = node['test'] as Node;
        add('condition', test, `!(${textOf(test)})`);
        return;
      }
      case 'AwaitExpression':
        add('await', node, textOf(node['argument'] as Node));
        return;
      case 'ExpressionStatement': {
        const expression = node['expression'] as Node;
        if (node['directive'] || !/^(?:Call|Await|Assignment|Update)Expression$/.test(expression.type))
          return;
        if (/^super\b/.test(textOf(expression))) return;
        add('statement', node, '');
        return;
      }
      case 'CallExpression':
      case 'NewExpression': {
        const [first, second] = node['arguments'] as Node[];
        if (!first || !second || [first, second].some(({ type }) => type === 'SpreadElement')) return;
        if (textOf(first) === textOf(second)) return;
        const between = source.slice(first.end, second.start);
        add('arguments', { start: first.start, end: second.end }, textOf(second) + between + textOf(first));
        return;
      }
      case 'Literal': {
        const { value } = node;
        if (parent?.type === 'JSXAttribute' || parent?.type === 'ExpressionStatement') return;
        // Prose is skipped: only text that a program reads is behaviour.
        if (typeof value === 'boolean') add('literal', node, String(!value));
        else if (typeof value === 'number' && Number.isSafeInteger(value))
          add('literal', node, String(value + 1));
        else if (typeof value === 'string' && /^\S+$/.test(value)) add('literal', node, "''");
        return;
      }
      case 'ReturnStatement': {
        const argument = node['argument'] as Node | null;
        if (argument) add('return', argument, 'undefined');
      }
    }
  }

  visit(program as unknown as Node, null);
  return faults;
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && typeof (value as Node).type === 'string';
}

/** Names of properties are not values, and type arguments are not code. */
function isSkippedField(node: Node, field: string): boolean {
  if (/^type(?:Annotation|Arguments|Parameters)$|^returnType$/.test(field)) return true;
  if (field === 'source') return true;
  const isNamed =
    node.type === 'Property' || node.type === 'PropertyDefinition' || node.type === 'MethodDefinition';
  return isNamed && field === 'key' && node['computed'] !== true;
}
