// Documents name files, folders, functions and scripts. These tests fail if one of these was moved or renamed, and
// say in which document. The map of docs/ARCHITECTURE.md has every package and every feature.
import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';

const root = path.join(import.meta.dirname, '..');
const textOf = (file: string) => readFileSync(path.join(root, file), 'utf8');
const forwardSlashes = (file: string) => file.split(path.sep).join('/');
const found = (...globs: string[]) => globSync(globs, { cwd: root }).map(forwardSlashes);

const documents = found('*.md', 'docs/**/*.md', 'packages/*/*.md');
/**
 * Documents that guide readers through the code. Decisions are not among them, because they may name code that was
 * removed later.
 */
const maps = ['CONTRIBUTING.md', 'docs/ARCHITECTURE.md', 'packages/bench/README.md'];
const sources = found(
  '*.*',
  'docs/**/*.*',
  'packages/*/*.*',
  'packages/*/{src,test,build,schemas}/**/*.*',
  'scripts/**/*.*',
);

/** Inline code of the text, outside code blocks. */
const codeIn = (text: string) =>
  [...text.replaceAll(/^```[\s\S]*?^```$/gm, '').matchAll(/`([^`\n]+)`/g)].map(([, code = '']) => code);

/** The files whose path ends with this name, such as `sync/shell.ts`; `*` stands for part of a name. */
function filesNamed(name: string): string[] {
  const escaped = name.replaceAll(/[.+?^$()|[\]\\{}]/g, String.raw`\$&`).replaceAll('*', '[^/]*');
  const ending = new RegExp(`(?:^|/)${escaped}$`);
  return sources.filter((file) => ending.test(file));
}

/** Build output may not exist yet. */
const isFileName = (code: string) =>
  !code.includes('/dist/') && /^(?:[\w@*.-]+\/)*[\w*.-]+\.(?:tsx?|mjs|css|jsonc)$/.test(code);
const isFolderName = (code: string) => /^(?:[a-z][\w-]*\/)+[a-z][\w-]*$/.test(code);
/** Matches a function that is named with its file, such as `link-service.create`. */
const functionIn = (code: string) => /^([a-z][a-z-]*)\.([a-z][a-zA-Z]+)$/.exec(code);

function isThere(code: string): boolean {
  if (isFileName(code)) return filesNamed(code).length > 0;
  if (isFolderName(code)) return sources.some((file) => `/${file}`.includes(`/${code}/`));
  const [, file = '', name = ''] = functionIn(code) ?? [];
  const candidates = filesNamed(`${file}.ts`);
  return candidates.length === 0 || candidates.some((each) => textOf(each).split(/\W/).includes(name));
}

const headingsOf = (file: string) =>
  [...textOf(file).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(/\s/g, '-'),
  );

/** Whether a link in a document leads to a file and, if the link names a heading, to that heading. */
function leadsSomewhere(document: string, target: string): boolean {
  const [file = '', heading] = target.split('#');
  const linked = file === '' ? document : forwardSlashes(path.join(path.dirname(document), file));
  if (!existsSync(path.join(root, linked))) return false;
  return heading === undefined || !linked.endsWith('.md') || headingsOf(linked).includes(heading);
}

describe('what documents name', () => {
  test.each(maps)('every file, folder and function that %s names exists', (document) => {
    const named = codeIn(textOf(document)).filter(
      (code) => isFileName(code) || isFolderName(code) || functionIn(code) !== null,
    );
    expect(named.length).toBeGreaterThan(5);
    expect(named.filter((code) => !isThere(code))).toEqual([]);
  });

  test.each(documents)('every link of %s leads to an existing file and heading', (document) => {
    const links = [...textOf(document).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target);
    const inside = links.filter((target) => !/^\w+:/.test(target));
    expect(inside.filter((target) => !leadsSomewhere(document, target))).toEqual([]);
  });

  test('a missing file, folder, function or heading is reported', () => {
    expect(isThere('scripts/documents.test.ts')).toBe(true);
    expect(isThere('scripts/no-documents.test.ts')).toBe(false);
    expect(isThere('server/src/features')).toBe(true);
    expect(isThere('server/src/parts')).toBe(false);
    expect(isThere('link-service.create')).toBe(true);
    expect(isThere('link-service.destroy')).toBe(false);
    expect(leadsSomewhere('docs/ARCHITECTURE.md', '../CONTRIBUTING.md#set-up')).toBe(true);
    expect(leadsSomewhere('docs/ARCHITECTURE.md', '../CONTRIBUTING.md#set-down')).toBe(false);
    expect(leadsSomewhere('docs/ARCHITECTURE.md', 'CONTRIBUTING.md')).toBe(false);
  });
});

describe('the map of the architecture', () => {
  const [, map = ''] = /^```\n(packages\/\n[\s\S]*?)^```$/m.exec(textOf('docs/ARCHITECTURE.md')) ?? [];

  /** The paths of the map. A line may name several files of one folder; `<area>` stands for any name. */
  function pathsOfMap(): string[] {
    let parent = '';
    return map.split('\n').flatMap((line) => {
      const [, indent = '', column = ''] = /^( {0,4})(\S.*?)(?: {2,}|$)/.exec(line) ?? [];
      const [first = '', ...others] = column.split(' ');
      if (first === '' || first.includes('<')) return [];
      const base = indent.length === 4 ? parent : indent.length === 2 ? 'packages/' : '';
      if (indent.length === 2) parent = `packages/${first}`;
      const beside = path.posix.join(base, path.posix.dirname(first));
      return [path.posix.join(base, first), ...others.map((other) => path.posix.join(beside, other))];
    });
  }

  const foldersIn = (folder: string) =>
    found(`${folder}/*/`)
      .map((each) => path.posix.basename(each))
      .toSorted();

  test('names only existing paths', () => {
    const paths = pathsOfMap();
    expect(paths.length).toBeGreaterThan(40);
    expect(paths.filter((each) => !existsSync(path.join(root, each)))).toEqual([]);
  });

  test('names every package', () => {
    const named = [...map.matchAll(/^ {2}([a-z]+)\//gm)].map(([, name = '']) => name);
    expect(named.toSorted()).toEqual(foldersIn('packages'));
  });

  test('names every feature of the server', () => {
    const [, words = ''] = /src\/features\/ +([a-z\s-]+?)\n {4}\S/.exec(map) ?? [];
    expect(words.split(/\s+/).toSorted()).toEqual(foldersIn('packages/server/src/features'));
  });
});

test('CONTRIBUTING.md has a line for each script of package.json that a person calls, and for no other', () => {
  const { scripts } = JSON.parse(textOf('package.json')) as { scripts: Record<string, string> };
  const called = Object.keys(scripts).filter((name) => !(name.startsWith('pre') && name.slice(3) in scripts));
  const named = [...textOf('CONTRIBUTING.md').matchAll(/^\| `npm (?:run )?([\w:]+)`/gm)].map(
    ([, name = '']) => name,
  );
  expect(named.toSorted()).toEqual(called.toSorted());
});

test('each id at the start of a test name is explained', () => {
  const tests = sources.filter((file) => file.endsWith('.test.ts')).map(textOf);
  const named = new Set(tests.flatMap((text) => text.match(/(?<=['"`\s]\[)[DPT]\d+(?=\])/g) ?? []));
  const explained = new Set([
    ...[...textOf('CONTRIBUTING.md').matchAll(/^\| `(D\d+)`/gm)].map(([, id = '']) => id),
    ...[...textOf('docs/SECURITY.md').matchAll(/^### (T\d+) /gm)].map(([, id = '']) => id),
    ...(textOf('packages/bench/README.md').match(/\bP\d+\b/g) ?? []),
  ]);
  expect(named.size).toBeGreaterThan(40);
  expect([...named].filter((id) => !explained.has(id))).toEqual([]);
});
