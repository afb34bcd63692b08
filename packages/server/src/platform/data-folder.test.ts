import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { StartError } from '#start-error';
import { openDataFolder } from './data-folder.ts';

let parent: string;
let folders = 0;

beforeAll(() => {
  parent = mkdtempSync(join(tmpdir(), 'svc-folder-'));
});
afterAll(() => rmSync(parent, { recursive: true }));

function freshPath(): string {
  folders += 1;
  return join(parent, `data-${folders}`);
}

function rejectionOf(path: string): readonly string[] {
  let rejected: unknown;
  try {
    openDataFolder(path).release();
  } catch (error) {
    rejected = error;
  }
  expect(rejected).toBeInstanceOf(StartError);
  return (rejected as StartError).lines;
}

/** Starts another process that holds the folder until it is killed. */
async function holdElsewhere(path: string): Promise<{ kill(): Promise<void> }> {
  const module = new URL('./data-folder.ts', import.meta.url).href;
  const code = `
    const { openDataFolder } = await import(${JSON.stringify(module)});
    globalThis.held = openDataFolder(${JSON.stringify(path)});
    process.stdout.write('held');
    setInterval(() => undefined, 1000);
  `;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', code], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [said] = (await once(child.stdout, 'data')) as [Buffer];
  expect(said.toString()).toBe('held');
  return {
    async kill() {
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    },
  };
}

describe('the data folder', () => {
  test('[D15] is created with its parents, for its owner only', () => {
    const path = join(freshPath(), 'deep', 'down');
    const folder = openDataFolder(path);
    expect(statSync(path).mode & 0o777).toBe(0o700);
    expect([folder.path, folder.file('svc.db')]).toEqual([path, join(path, 'svc.db')]);
    folder.release();
  });

  test('[D15] keeps its mode and content when it exists', () => {
    const path = freshPath();
    mkdirSync(path);
    chmodSync(path, 0o750);
    writeFileSync(join(path, 'kept'), '');
    openDataFolder(path).release();
    expect(statSync(path).mode & 0o777).toBe(0o750);
    expect(statSync(join(path, 'kept')).isFile()).toBe(true);
  });

  test('[D15] rejects a second holder in the process until the first releases it', () => {
    const path = freshPath();
    const first = openDataFolder(path);
    expect(rejectionOf(path)).toEqual([
      expect.stringMatching(`^DATA_DIR: ${path} is in use by another running svc\\. `),
    ]);
    first.release();
    openDataFolder(path).release();
  });

  test('[D15] rejects a second process with one line, and accepts it when the first was killed', async () => {
    const path = freshPath();
    const holder = await holdElsewhere(path);
    expect(rejectionOf(path)).toEqual([
      expect.stringMatching(/^DATA_DIR: [^\n]+ is in use by another running svc\. [^\n]+$/),
    ]);
    // A rejection must not take the lock from its holder.
    expect(rejectionOf(path)).toHaveLength(1);
    await holder.kill();
    openDataFolder(path).release();
  });

  test('[D15] is rejected with one line when a file is in its place or on its path', () => {
    const file = freshPath();
    writeFileSync(file, 'a file');
    for (const path of [file, join(file, 'below')]) {
      expect(rejectionOf(path)).toEqual([
        expect.stringMatching(/^DATA_DIR: [^\n]+ cannot be written to \([^\n]+\)\. [^\n]+$/),
      ]);
    }
  });

  test.skipIf(process.getuid?.() === 0)(
    '[D15] is rejected with one line when it is not writable (not as root)',
    () => {
      const path = freshPath();
      mkdirSync(path, { mode: 0o500 });
      expect(rejectionOf(path)).toEqual([
        expect.stringMatching(/^DATA_DIR: [^\n]+ cannot be written to [^\n]+$/),
      ]);
    },
  );
});
