// The linter's side of import-rules.ts: finds every import of a file — static, re-exported, dynamic, in a type, through
// require() and process.getBuiltinModule() — resolves it to a path in the repository or a package's name, and reports
// the rules that it breaks.
import * as fs from 'node:fs';
import path from 'node:path';
import { matches, spellingRules, violationsOf, type Violation } from './import-rules.ts';

// The part of the linter's plugin interface that is used here; it publishes no types of its own.
export interface Node {
  type: string;
}
export interface Context {
  cwd: string;
  filename: string;
  report(diagnostic: { node: Node; message: string }): void;
}
interface WithSource extends Node {
  source: Node | null;
}
interface Callee extends Node {
  name?: string;
  property?: Node & { name?: string };
}
interface Call extends Node {
  callee: Callee;
  arguments: Node[];
}

const allowed = {
  meta: { type: 'problem', docs: { description: 'Imports follow the table in scripts/import-rules.ts' } },
  create(context: Context) {
    const importer = path.relative(context.cwd, context.filename).split(path.sep).join('/');
    const applies = (rule: { importers: readonly string[] }) =>
      rule.importers.some((glob) => matches(glob, importer));

    function report(node: Node, { id, because }: Violation) {
      context.report({ node, message: `[${id}] ${because}.` });
    }

    function check(node: Node, source: Node | null | undefined) {
      if (source === null || source === undefined) return;
      const specifier = literalText(source);
      if (specifier === undefined) {
        if (applies(spellingRules.readable)) report(node, spellingRules.readable);
        return;
      }
      if (applies(spellingRules.staysInFeature) && specifier.startsWith('../')) {
        report(node, spellingRules.staysInFeature);
      }
      const imported = resolve(context.cwd, importer, specifier);
      for (const violation of violationsOf(importer, imported)) report(node, violation);
    }

    const checkSource = (node: WithSource) => check(node, node.source);
    return {
      ImportDeclaration: checkSource,
      ExportNamedDeclaration: checkSource,
      ExportAllDeclaration: checkSource,
      ImportExpression: checkSource,
      TSImportType: checkSource,
      CallExpression(node: Call) {
        if (loadsModule(node.callee)) check(node, node.arguments[0]);
      },
      Program(node: Node) {
        if (applies(spellingRules.flat)) report(node, spellingRules.flat);
      },
    };
  },
};

/** `require` and `process.getBuiltinModule`. */
function loadsModule({ type, name, property }: Callee): boolean {
  return type === 'Identifier' ? name === 'require' : property?.name === 'getBuiltinModule';
}

/** The text of a string or of a template without expressions; undefined for any other expression. */
export function literalText(node: Node): string | undefined {
  const { value, quasis } = node as { value?: unknown; quasis?: { value: { cooked: string } }[] };
  if (typeof value === 'string') return value;
  return quasis?.length === 1 ? quasis[0]?.value.cooked : undefined;
}

function resolve(root: string, importer: string, specifier: string): string {
  if (specifier.startsWith('.')) return path.posix.join(path.posix.dirname(importer), specifier);
  if (!specifier.startsWith('#')) return specifier;
  const folder = importer.split('/').slice(0, 2).join('/');
  for (const [name, target] of importsMapOf(path.join(root, folder))) {
    const [before = '', after] = name.split('*');
    if (
      after === undefined ? specifier !== name : !(specifier.startsWith(before) && specifier.endsWith(after))
    )
      continue;
    const middle = after === undefined ? '' : specifier.slice(before.length, specifier.length - after.length);
    return path.posix.join(folder, target.replaceAll('*', middle));
  }
  return specifier;
}

const importsMaps = new Map<string, [name: string, target: string][]>();

/** The `imports` of a package's manifest: `#…` names and the files they stand for. */
function importsMapOf(folder: string): [name: string, target: string][] {
  let map = importsMaps.get(folder);
  if (map === undefined) {
    const manifest = JSON.parse(fs.readFileSync(path.join(folder, 'package.json'), 'utf8')) as {
      imports?: Record<string, string | { default: string }>;
    };
    map = Object.entries(manifest.imports ?? {}).map(([name, target]) => [
      name,
      typeof target === 'string' ? target : target.default,
    ]);
    importsMaps.set(folder, map);
  }
  return map;
}

export default { meta: { name: 'imports' }, rules: { allowed } };
