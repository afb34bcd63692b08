/** The page for installing the CLI, in a real browser; its commands run in a real shell. */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { access, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { startServer } from '@svc/testkit';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findingsInBothThemes } from './axe.ts';
import { browserSuite, describePages } from './browser-suite.ts';
import { keysOf } from './keys.ts';
import { clipboardOf, untilCopied } from './page-watch.ts';
import { passTimeUntil } from './passing-time.ts';

const run = promisify(execFile);
const built = path.join(import.meta.dirname, '../../cli/dist/svc.mjs');

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'svc-install-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** An empty home folder, and a shell in it. */
async function newShell(name: string) {
  const home = path.join(folder, name);
  await mkdir(home);
  const env = { HOME: home, SVC_HOME: home, PATH: `${path.dirname(process.execPath)}:/usr/bin:/bin` };
  return {
    home,
    type: (command: string) => run('/bin/sh', ['-c', command], { cwd: home, env }),
    isInstalled: () =>
      access(path.join(home, '.local/bin/svc')).then(
        () => true,
        () => false,
      ),
  };
}

const command = (page: Page, label: RegExp) => page.getByRole('group', { name: label }).innerText();
const installCommand = (page: Page) => command(page, /^Command to install it on/);
const tab = (page: Page, name: string) => page.getByRole('tab', { name, exact: true });

describePages('the page for installing the CLI', () => {
  const { server, watch, visit } = browserSuite();

  test.each(['Linux', 'macOS'])(
    'its commands for %s install and run the program of this service',
    async (name) => {
      const { page } = await visit('/install');
      await tab(page, name).click();
      const shell = await newShell(name);
      await shell.type(await installCommand(page));
      expect(await readdir(shell.home)).toEqual(['.local']);
      expect(await readFile(path.join(shell.home, '.local/bin/svc'))).toEqual(await readFile(built));
      const toPath = await command(page, /PATH$/);
      const { stdout } = await shell.type(`${toPath}\nsvc --version`);
      expect(stdout).toMatch(/^(?:svc )?\d+\.\d+\.\d+/);
      expect(await command(page, /link this machine$/)).toBe(`SVC_API_BASE_URL=${server.url} svc login`);
    },
  );

  test.each(['Linux', 'macOS'])(
    '[T21] for %s, a program with another digest is not installed',
    async (name) => {
      const program = path.join(folder, 'svc.mjs');
      await writeFile(program, 'as it was when the page was opened');
      await using changing = await startServer({ program });
      const { page } = await watch({ url: changing.url });
      await page.goto('/install');
      await tab(page, name).click();
      const shell = await newShell(`tampered-${name}`);
      const line = await installCommand(page);
      await writeFile(program, 'replaced since');
      await expect(shell.type(line)).rejects.toThrow(/did NOT match/);
      expect(await shell.isInstalled()).toBe(false);
      await rm(program);
      await expect(shell.type(line)).rejects.toThrow(/404/);
      expect(await shell.isInstalled()).toBe(false);
    },
  );

  test('it shows the digest to compare, copies commands, and is linked on the first page', async () => {
    const { page } = await watch();
    const digest = createHash('sha256')
      .update(await readFile(built))
      .digest('hex');
    await page.goto('/');
    await page.getByRole('link', { name: 'Install the CLI' }).click();
    await page.getByRole('heading', { level: 1, name: 'Install the CLI' }).waitFor();
    await page.getByText('22.18 or later').first().waitFor();
    await page.getByText(digest, { exact: true }).waitFor();
    const copy = page.getByRole('button', { name: 'Copy command to install it on Linux' });
    await untilCopied(page, () => copy.click());
    expect(await clipboardOf(page)).toContain(digest);
    const saving = page.waitForEvent('download');
    await page.getByRole('link', { name: 'svc.mjs' }).click();
    const saved = await saving;
    expect(saved.suggestedFilename()).toBe('svc.mjs');
    expect(await readFile(await saved.path())).toEqual(await readFile(built));
  });

  test('by keyboard, the arrow keys change the system, and Tab continues into its commands', async () => {
    const { page } = await visit('/install');
    const keys = keysOf(page);
    await keys.tabTo(tab(page, 'Linux'));
    await keys.moveTo(tab(page, 'macOS'), 'ArrowRight');
    await keys.moveTo(tab(page, 'Windows'), 'End');
    await page.getByText('Run this in PowerShell.').waitFor();
    expect(await installCommand(page)).toContain(`-Uri '${server.url}/download/svc.mjs'`);
    await keys.tabTo(page.getByRole('button', { name: 'Copy command to install it on Windows' }));
    await untilCopied(page, () => keys.press('Enter'));
    expect((await clipboardOf(page)).startsWith('& {\n')).toBe(true);
  });

  test('it is accessible in both themes, in a window as narrow as a phone', async () => {
    const { page } = await visit('/install', { width: 360 });
    for (const name of ['Linux', 'Windows']) {
      await tab(page, name).click();
      await command(page, /^Command to link/);
      expect(await findingsInBothThemes(page)).toEqual([]);
    }
  });

  test('a service without a program says so, and one that fails offers a retry', async () => {
    await using unbuilt = await startServer({ program: path.join(folder, 'nothing') });
    const { page } = await watch({ url: unbuilt.url });
    await page.goto('/install');
    await page.getByText('This service has no program for Linux.').waitFor();

    const manifest = path.join(folder, 'manifest.json');
    await using broken = await startServer({ config: { updateManifestPath: manifest } });
    const { page: other } = await watch({ url: broken.url, expected: /503/ });
    await other.clock.install();
    await other.goto('/install');
    // The page tries again automatically, with growing pauses.
    const again = other.getByRole('button', { name: 'Try again' });
    await passTimeUntil(again);
    await writeFile(manifest, '{}');
    await again.click();
    await other.getByText('This service has no program for Linux.').waitFor();
  });
});
