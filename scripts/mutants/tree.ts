// A copy of the repository in which faults are planted. It has its own sources and builds, and links to the installed
// dependencies. The links between the repository's own packages lead to the copy.
import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { plant, watchBrowser, type PlantedFault } from './plant.ts';

const BROWSER = 'packages/testkit/src/browser.ts';

export interface Tree {
  readonly folder: string;
  /** Where faults read which of them is active, and record which test file reached them. */
  readonly switchFolder: string;
  /** The output of the last program that ran. */
  readonly outputFile: string;
}

export function treeAt(folder: string): Tree {
  const switchFolder = path.join(folder, '.faults');
  return { folder, switchFolder, outputFile: path.join(switchFolder, 'output') };
}

export function makeTree(root: string, folder: string, faults: readonly PlantedFault[]): Tree {
  rmSync(folder, { recursive: true, force: true });
  const tree = treeAt(folder);
  const { switchFolder } = tree;
  mkdirSync(switchFolder, { recursive: true });
  const files = execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' }).split('\0');
  for (const file of files) {
    if (file === '' || !existsSync(path.join(root, file))) continue;
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
    cpSync(path.join(root, file), path.join(folder, file));
  }
  linkDependencies(path.join(root, 'node_modules'), path.join(folder, 'node_modules'));
  // Some tests ask git what belongs to the repository.
  for (const words of [
    ['init', '-q'],
    ['add', '-A'],
    ['-c', 'user.name=t', '-c', 'user.email=t@t', 'commit', '-qm', 'copy'],
  ])
    execFileSync('git', words, { cwd: folder });
  for (const [file, own] of Map.groupBy(faults, (fault) => fault.file))
    rewrite(path.join(folder, file), (source) => plant(source, own, switchFolder));
  rewrite(path.join(folder, BROWSER), (source) => watchBrowser(source, switchFolder));
  return tree;
}

function linkDependencies(from: string, to: string): void {
  mkdirSync(path.join(to, '@svc'), { recursive: true });
  for (const name of readdirSync(from))
    if (name !== '@svc' && name !== '.vite') symlinkSync(path.join(from, name), path.join(to, name));
  for (const name of readdirSync(path.join(from, '@svc')))
    symlinkSync(path.join('../../packages', name), path.join(to, '@svc', name));
}

function rewrite(file: string, change: (source: string) => string): void {
  writeFileSync(file, change(readFileSync(file, 'utf8')));
}
