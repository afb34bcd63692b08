/** Folders with files, deleted when the test ends. */
import { execFileSync } from 'node:child_process';
import * as fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { plainEnvironment } from './tools.ts';

export function temporaryFolder(): string {
  const folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'svc-test-')));
  onTestFinished(() => {
    fs.rmSync(folder, { recursive: true, force: true });
  });
  return folder;
}

export type Files = Readonly<Record<string, string | Uint8Array>>;

export function writeFiles(root: string, files: Files): void {
  for (const [name, content] of Object.entries(files)) {
    const file = path.join(root, name);
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, content);
  }
}

export function folderWith(files: Files): string {
  const root = temporaryFolder();
  writeFiles(root, files);
  return root;
}

export function repositoryWith(files: Files): string {
  const root = folderWith(files);
  initRepository(root);
  return root;
}

const templates = new Map<'empty' | 'committed', string>();

/** Like `git init`. Git runs once and its result is copied, because starting a program from a large process takes long. */
export function initRepository(root: string): void {
  copyTemplate('empty', root);
}

/** Like `initRepository`, with a commit without files. */
export function initCommittedRepository(root: string): void {
  copyTemplate('committed', root);
}

function copyTemplate(name: 'empty' | 'committed', root: string): void {
  const template = templates.get(name) ?? makeTemplate(name);
  fs.cpSync(template, path.join(root, '.git'), { recursive: true });
}

function makeTemplate(name: 'empty' | 'committed'): string {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'svc-repository-'));
  process.once('exit', () => fs.rmSync(folder, { recursive: true, force: true }));
  git(folder, 'init', '--quiet', '--template=');
  if (name === 'committed') git(folder, 'commit', '--quiet', '--allow-empty', '--message', 'a');
  const template = path.join(folder, '.git');
  templates.set(name, template);
  return template;
}

export function git(root: string, ...args: readonly string[]): void {
  const settings = ['user.name=A', 'user.email=a@example.com', 'maintenance.auto=false'];
  const given = settings.flatMap((setting) => ['-c', setting]);
  execFileSync('git', [...given, ...args], { cwd: root, env: plainEnvironment, stdio: 'ignore' });
}
