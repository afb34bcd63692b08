// Every regular expression of the product must run in time linear in its input, because the input may be hostile.
// Analyses the expressions in the sources (literals, RegExp calls, `pattern` of a schema) and in the published schemas.
// A computed expression must say why it is safe, on the line above: `// linear: …`.
import * as fs from 'node:fs';
import path from 'node:path';
import { parseSync } from 'oxc-parser';
import { check } from 'recheck';

interface Expression {
  source: string;
  flags: string;
  places: string[];
}
interface SyntaxNode {
  type: string;
  start: number;
  [field: string]: unknown;
}

const root = path.resolve(process.argv[2] ?? path.join(import.meta.dirname, '..'));
const analysisTimeoutMs = 120_000;
const expressions = new Map<string, Expression>();
const complaints: string[] = [];

for (const file of fs.globSync('packages/*/src/**/*.{ts,tsx}', { cwd: root })) {
  if (!file.endsWith('.test.ts')) readSource(file);
}
for (const file of fs.globSync('packages/contract/schemas/**/*.json', { cwd: root })) {
  readSchema(file, JSON.parse(fs.readFileSync(path.join(root, file), 'utf8')));
}
for (const { source, flags, places } of expressions.values()) {
  const complaint = await analyse(source, flags);
  if (complaint !== undefined) complaints.push(`${places.join(', ')}: /${source}/${flags} ${complaint}`);
}
for (const complaint of complaints) console.error(complaint);
console.error(`${expressions.size} regular expressions, ${complaints.length} to fix.`);
process.exitCode = complaints.length > 0 ? 1 : 0;

function note(source: string, flags: string, place: string) {
  const key = `/${source}/${flags}`;
  const known = expressions.get(key);
  if (known === undefined) expressions.set(key, { source, flags, places: [place] });
  else known.places.push(place);
}

function readSource(file: string) {
  const text = fs.readFileSync(path.join(root, file), 'utf8');
  const { program, errors } = parseSync(file, text);
  if (errors.length > 0) complaints.push(`${file}: does not parse`);
  visit(program, (node) => {
    const line = text.slice(0, node.start).split('\n').length;
    const place = `${file}:${line}`;
    if (node.type === 'Literal' && isRegex(node['regex']))
      note(node['regex'].pattern, node['regex'].flags, place);
    if (isCallOf(node, 'RegExp')) {
      const [source, flags] = node['arguments'] as (SyntaxNode | undefined)[];
      const pattern = textOf(source);
      const explained = /^\s*\/\/ linear: \S/.test(text.split('\n')[line - 2] ?? '');
      if (pattern !== undefined) note(pattern, textOf(flags) ?? '', place);
      else if (!explained)
        complaints.push(`${place}: a computed expression needs a line \`// linear: …\` above it`);
    }
    if (node.type === 'Property' && (node['key'] as SyntaxNode)['name'] === 'pattern') {
      const pattern = textOf(node['value'] as SyntaxNode);
      if (pattern !== undefined) note(pattern, '', place);
    }
  });
}

function readSchema(file: string, value: unknown) {
  if (typeof value !== 'object' || value === null) return;
  for (const [name, inner] of Object.entries(value)) {
    if (name === 'pattern' && typeof inner === 'string') note(inner, '', file);
    else readSchema(file, inner);
  }
}

/** The complaint about an expression; undefined if it is linear. */
async function analyse(source: string, flags: string): Promise<string | undefined> {
  // The analysis does not support sets of strings, which the flag v adds. Otherwise v is the same as u.
  const diagnostics = await check(source, flags.replace('v', 'u'), {
    timeout: analysisTimeoutMs,
    // Larger expressions are attacked at random. A fixed seed, and steps instead of a clock, make the result the same
    // in each run, even on a busy machine.
    randomSeed: 1,
    attackTimeout: null,
    incubationTimeout: null,
    seedingTimeout: null,
  });
  if (diagnostics.status === 'safe') return undefined;
  if (diagnostics.status === 'unknown')
    return `could not be analysed (${diagnostics.error.kind}): make it simpler`;
  return `takes ${diagnostics.complexity.summary} time, for instance with ${diagnostics.attack.pattern}`;
}

function visit(node: unknown, look: (node: SyntaxNode) => void) {
  if (Array.isArray(node)) {
    for (const inner of node) visit(inner, look);
  } else if (isNode(node)) {
    look(node);
    for (const inner of Object.values(node)) visit(inner, look);
  }
}

function isNode(value: unknown): value is SyntaxNode {
  return typeof value === 'object' && value !== null && 'type' in value;
}

function isRegex(value: unknown): value is { pattern: string; flags: string } {
  return typeof value === 'object' && value !== null && 'pattern' in value;
}

function isCallOf(node: SyntaxNode, name: string): boolean {
  const isCall = node.type === 'NewExpression' || node.type === 'CallExpression';
  return isCall && (node['callee'] as SyntaxNode)['name'] === name;
}

/** The text of a string literal or of a template without expressions. */
function textOf(node: SyntaxNode | undefined): string | undefined {
  if (typeof node?.['value'] === 'string') return node['value'];
  const quasis = node?.['quasis'] as { value: { cooked: string } }[] | undefined;
  return quasis?.length === 1 ? quasis[0]?.value.cooked : undefined;
}
