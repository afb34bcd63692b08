/** Scanners installed on this machine, run on the files of a history: two for C, one for JavaScript. */
import { spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import path from 'node:path';
import { parsedLog, type Scanner } from './scanner.ts';
import type { Tree } from './tree.ts';

/** What is missing here, for people; undefined when nothing is. */
export function whatIsMissing(): string | undefined {
  if (!fs.existsSync(sourcesFolder())) return 'SVC_HISTORY_SOURCES names no folder of C and JavaScript files';
  if (!fs.existsSync(eslintProgram())) return 'SVC_HISTORY_ESLINT names no node_modules with ESLint';
  if (!fs.existsSync(formatter())) return 'SVC_HISTORY_ESLINT has no formatter for SARIF';
  return ['flawfinder', 'clang'].find((name) => !isInstalled(name))?.concat(' is not installed');
}

/** The texts by their paths; files that are not UTF-8 are skipped. */
export function sources(): Record<string, string> {
  const root = sourcesFolder();
  const names = fs.readdirSync(root, { recursive: true, encoding: 'utf8' }).toSorted();
  return Object.fromEntries(
    names.flatMap((name) => {
      const file = path.join(root, name);
      if (!fs.statSync(file).isFile()) return [];
      const text = fs.readFileSync(file, 'utf8').replaceAll('\r\n', '\n');
      return text.includes('\uFFFD') ? [] : [[name.split(path.sep).join('/'), text]];
    }),
  );
}

export const realScanners: readonly Scanner[] = [
  {
    name: 'Flawfinder',
    log: (tree, folder) => output('flawfinder', ['--sarif', '--quiet', ...filesOf(tree, '.c')], folder),
  },
  {
    name: 'ESLint',
    log: (tree, folder) =>
      output(
        process.execPath,
        [
          eslintProgram(),
          '--no-eslintrc',
          '--no-ignore',
          '--env=browser,node,es2022',
          ...eslintRules.flatMap((rule) => ['--rule', `${rule}: warn`]),
          '--format',
          formatter(),
          ...filesOf(tree, '.js'),
        ],
        folder,
      ),
  },
  { name: 'clang', log: clangLog },
];

const eslintRules = [
  'eqeqeq',
  'no-unused-vars',
  'no-eq-null',
  'no-plusplus',
  'curly',
  'no-invalid-this',
  'no-shadow',
];

const clangOptions = [
  ...['core', 'deadcode', 'unix', 'security'].map((name) => `-analyzer-checker=${name}`),
  // With these settings clang ends within seconds, and finds the same in the same code.
  '-analyzer-config',
  'max-nodes=5000',
].flatMap((option) => ['-Xclang', option]);

/** Merges the logs of all files. A file that no longer compiles has no log. */
function clangLog(tree: Tree, folder: string): string {
  const log = path.join(folder, '.git', 'clang.sarif');
  const headers = new Set(filesOf(tree, '.h').map((file) => `-I${path.posix.dirname(file)}`));
  const runs = filesOf(tree, '.c').flatMap((file) => {
    fs.rmSync(log, { force: true });
    const target = ['--analyzer-output', 'sarif', '-o', log, file];
    spawnSync('clang', ['--analyze', '-w', ...clangOptions, ...headers, ...target], { cwd: folder });
    return fs.existsSync(log) ? parsedLog(fs.readFileSync(log, 'utf8')).runs : [];
  });
  const [first] = runs;
  const results = runs.flatMap((run) => run.results);
  return JSON.stringify({
    version: '2.1.0',
    runs: [{ tool: first?.tool ?? { driver: { name: 'clang' } }, results: results.map(plain) }],
  });
}

/** Removes references to other parts of the file's log. */
function plain<Result extends object>(result: Result): Result {
  return JSON.parse(
    JSON.stringify({ ...result, codeFlows: undefined, ruleIndex: undefined }, (key, value: unknown) =>
      key === 'index' ? undefined : value,
    ),
  ) as Result;
}

function filesOf(tree: Tree, extension: string): string[] {
  return [...tree.keys()].filter((file) => file.endsWith(extension));
}

function output(program: string, words: readonly string[], folder: string): string {
  const { stdout, stderr } = spawnSync(program, words, { cwd: folder, encoding: 'utf8', maxBuffer: 2 ** 28 });
  if (!stdout.includes('{')) throw new Error(`${program} wrote no log: ${stderr}`);
  return stdout.slice(stdout.indexOf('{'));
}

function isInstalled(name: string): boolean {
  return (process.env['PATH'] ?? '')
    .split(path.delimiter)
    .some((folder) => fs.existsSync(path.join(folder, name)));
}

function sourcesFolder(): string {
  return process.env['SVC_HISTORY_SOURCES'] ?? '';
}

function eslintProgram(): string {
  return path.join(process.env['SVC_HISTORY_ESLINT'] ?? '', 'eslint/bin/eslint.js');
}

function formatter(): string {
  return path.join(process.env['SVC_HISTORY_ESLINT'] ?? '', '@microsoft/eslint-formatter-sarif/sarif.js');
}
