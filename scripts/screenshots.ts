// `npm run screenshots`: takes the main pages into docs/images, with the data of the demo, in both themes. Another page is
// another line of the list below.
import { randomBytes } from 'node:crypto';
import * as fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { createClient } from '@svc/client';
import { launchBrowser } from '@svc/testkit/browser';
import type { Browser, Page } from 'playwright-core';
import { comeAsNewcomer, type Newcomer } from './demo/newcomer.ts';
import { startService } from './demo/service.ts';

const folderOfImages = path.join(import.meta.dirname, '../docs/images');
const BYTES_MAX = 1.5 * 1024 * 1024;
const HEIGHT = 800;
const WIDE = 1280;
const NARROW = 390;

interface Shot {
  readonly name: string;
  readonly address: (seen: Newcomer, url: string) => string | Promise<string>;
  /** Whoever is not signed in sees it too, and does here. */
  readonly isPublic?: true;
  /** What is done on the page before. */
  readonly prepare?: (page: Page) => Promise<void>;
  /** As on a phone too. */
  readonly isNarrowToo?: true;
}

const shots: readonly Shot[] = [
  { name: 'home', address: () => '/' },
  { name: 'report', address: ({ reportUrl }) => reportUrl, isNarrowToo: true },
  {
    name: 'finding',
    address: ({ reportUrl }) => reportUrl,
    async prepare(page) {
      await page.locator('main ol a').first().click();
      await page.getByRole('heading', { name: 'Findings', exact: true }).waitFor();
      // The page moves, not the panel.
      await page.mouse.move(WIDE / 2, HEIGHT / 8);
      await page.mouse.wheel(0, 560);
    },
  },
  {
    name: 'share-sheet',
    address: ({ reportUrl }) => reportUrl,
    async prepare(page) {
      await page.getByRole('button', { name: /^Share/ }).click();
      await page.getByRole('button', { name: 'Make a link' }).click();
    },
  },
  { name: 'shared', address: ({ sharedUrl }) => sharedUrl, isPublic: true },
  { name: 'link-device', address: (_seen, url) => newLink(url) },
  { name: 'api-reference', address: () => '/docs#createReport', isPublic: true },
];

const folder = await fs.mkdtemp(path.join(os.tmpdir(), 'svc-screenshots-'));
try {
  const never = new AbortController().signal;
  await using service = await startService(path.join(folder, 'data'), never);
  const seen = await comeAsNewcomer(service.url, folder, never);
  await using browser = await launchBrowser();
  await fs.mkdir(folderOfImages, { recursive: true });
  for (const shot of shots) {
    for (const theme of ['light', 'dark'] as const)
      await take(browser, shot, seen, service.url, { theme, width: WIDE, suffix: `-${theme}` });
    if (shot.isNarrowToo)
      await take(browser, shot, seen, service.url, { theme: 'light', width: NARROW, suffix: '-narrow' });
  }
  await checkSize();
} finally {
  await fs.rm(folder, { recursive: true, force: true });
}

interface Look {
  readonly theme: 'light' | 'dark';
  readonly width: number;
  /** Of the file's name. */
  readonly suffix: string;
}

async function take(browser: Browser, shot: Shot, seen: Newcomer, url: string, look: Look): Promise<void> {
  const { theme, width, suffix } = look;
  await using context = await browser.newContext({
    baseURL: url,
    colorScheme: theme,
    viewport: { width, height: HEIGHT },
    reducedMotion: 'reduce',
    locale: 'en-GB',
    timezoneId: 'UTC',
  });
  if (!shot.isPublic) {
    const [name = '', value = ''] = seen.person.cookie.split('=');
    await context.addCookies([{ name, value, url }]);
  }
  const page = await context.newPage();
  await page.goto(await shot.address(seen, url), { waitUntil: 'networkidle' });
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  await shot.prepare?.(page);
  await page.waitForLoadState('networkidle');
  const file = path.join(folderOfImages, `${shot.name}${suffix}.png`);
  await page.screenshot({ path: file, animations: 'disabled', caret: 'hide' });
  console.log(path.relative(process.cwd(), file));
}

/** A link that waits for approval. */
async function newLink(url: string): Promise<string> {
  const asked = await createClient({ baseUrl: url }).createDeviceLink({
    body: {
      verifierHash: randomBytes(32).toString('hex'),
      deviceName: 'work laptop',
      clientVersion: '0.1.0',
      osFamily: 'linux',
      arch: 'x64',
    },
  });
  if (!asked.ok) throw new Error(asked.error.message);
  return `/link/${asked.body.publicRequestId}`;
}

/** Everyone who clones the repository gets them. */
async function checkSize(): Promise<void> {
  const names = await fs.readdir(folderOfImages);
  const sizes = await Promise.all(
    names.map(async (name) => (await fs.stat(path.join(folderOfImages, name))).size),
  );
  const total = sizes.reduce((sum, size) => sum + size, 0);
  console.log(`${names.length} images, ${Math.round(total / 1024)} KiB`);
  if (total > BYTES_MAX) throw new Error(`The images take more than ${BYTES_MAX / 1024} KiB.`);
}
