import { chmod, mkdir, mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { endlessly } from '../../test/releases.ts';
import { install, type Installation } from './install.ts';
import { installedProgram, rejectIfReplaced } from './program.ts';

const programOf = (version: string) => `console.log('svc ${version}');\n`;

let folder: string;
let file: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'svc-install-'));
  file = path.join(folder, 'svc.mjs');
  await writeFile(file, programOf('1.0.0'));
  await chmod(file, 0o751);
});
afterEach(() => rm(folder, { recursive: true }));

function installing(source: string, changes: Partial<Installation> = {}) {
  const bytes = Buffer.from(source);
  const { signal } = new AbortController();
  return install({ file, bytes, version: '2.0.0', environment: process.env, signal, ...changes });
}

async function expectUntouched(): Promise<void> {
  expect(await readFile(file, 'utf8')).toBe(programOf('1.0.0'));
  expect((await readdir(folder)).filter((name) => name !== 'svc.mjs.previous')).toEqual(['svc.mjs']);
}

describe('a new program', () => {
  test('[D14] replaces the old one and gets its permissions, and the old one is kept beside it', async () => {
    expect(await installing(programOf('2.0.0'))).toBe(`${file}.previous`);
    expect(await readFile(file, 'utf8')).toBe(programOf('2.0.0'));
    expect(await readFile(`${file}.previous`, 'utf8')).toBe(programOf('1.0.0'));
    expect((await stat(file)).mode & 0o777).toBe(0o751);
    expect(await readdir(folder)).toEqual(['svc.mjs', 'svc.mjs.previous']);
  });

  test.each<[string, string, number?]>([
    ['fails', 'process.exit(3);'],
    ['prints another version', programOf('2.0.1')],
    ['prints more than its version', `${programOf('2.0.0')}console.log('and more');`],
    ['does not end', 'setInterval(() => undefined, 1000);', 1],
    ['prints more than anyone reads', endlessly('svc 2.0.0')],
  ])('[D14] that %s never replaces the old one', async (_, source, selfTestMs = 20_000) => {
    await expect(installing(source, { selfTestMs })).rejects.toMatchObject({
      code: 'ARTIFACT_BROKEN',
      reason: 'rejected',
    });
    await expectUntouched();
    expect(await readdir(folder)).toEqual(['svc.mjs']);
  });

  test('[D14] that runs beside the old one but not in its place is rolled back', async () => {
    const source = `if (process.argv[1] === ${JSON.stringify(file)}) process.exit(1);\n${programOf('2.0.0')}`;
    await expect(installing(source)).rejects.toMatchObject({ code: 'ARTIFACT_BROKEN' });
    await expectUntouched();
    expect((await stat(file)).mode & 0o777).toBe(0o751);
  });

  test('[D14] is not installed once the command is interrupted', async () => {
    await expect(installing(programOf('2.0.0'), { signal: AbortSignal.abort() })).rejects.toMatchObject({
      reason: 'interrupted',
    });
    await expectUntouched();
  });

  test('[D14] is not installed if the old one cannot be kept', async () => {
    await mkdir(`${file}.previous`);
    await expect(installing(programOf('2.0.0'))).rejects.toMatchObject({
      reason: 'failed',
      message: expect.stringContaining(file),
    });
    await expectUntouched();
  });
});

describe('the running program', () => {
  test('[D14] is the file that contains the module', async () => {
    const url = pathToFileURL(path.join(file, 'chunk-ABC.mjs')).href;
    const program = await installedProgram(url);
    expect(program.file).toBe(file);
    await rejectIfReplaced(program);
    await writeFile(file, programOf('1.5.0'));
    await expect(rejectIfReplaced(program)).rejects.toMatchObject({ code: 'UPDATE_OVERTAKEN' });
  });

  test('[D14] is not a file that can be replaced when svc runs from its sources', async () => {
    await expect(installedProgram()).rejects.toMatchObject({ code: 'UPDATE_NOT_INSTALLED' });
  });

  test('[D14] belongs to npm when it is in a folder of npm', async () => {
    const installed = path.join(path.dirname(file), 'node_modules/svc/svc.mjs');
    await mkdir(path.dirname(installed), { recursive: true });
    await writeFile(installed, programOf('1.5.0'));
    const url = pathToFileURL(path.join(installed, 'chunk-ABC.mjs')).href;
    await expect(installedProgram(url)).rejects.toMatchObject({ code: 'UPDATE_NOT_INSTALLED' });
  });
});
