// `npm run screenshots`: writes screenshots of the main pages with the sample report to docs/images, some of them in
// both themes. To add a page, add it to the list below. The documents show all of them. With `-- --journey` it writes
// the steps of a customer's journey to .cache/screenshots instead.
import * as fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { launchBrowser } from '@svc/testkit/browser';
import type { Browser, Page } from 'playwright-core';
import { startService } from './demo/service.ts';
import { takeJourney } from './screenshots/journey.ts';
import { beginLink, makeShowcase, type Showcase } from './screenshots/showcase.ts';

const folderOfImages = path.join(import.meta.dirname, '../docs/images');
const BYTES_MAX = 1.5 * 1024 * 1024;
const HEIGHT = 640;
const WIDE = 1120;
const NARROW = 390;

interface Shot {
  readonly name: string;
  readonly address: (seen: Showcase, url: string) => string | Promise<string>;
  /** Taken without a session, as any visitor sees it. */
  readonly isPublic?: true;
  /** Actions on the page before the screenshot. */
  readonly prepare?: (page: Page) => Promise<void>;
  /** Also taken at the width of a phone. */
  readonly isNarrowToo?: true;
  /** Also taken in the dark theme; set for the pages that show most of the design. */
  readonly isDarkToo?: true;
}

const shots: readonly Shot[] = [
  {
    name: 'home',
    address: () => '/',
    prepare: (page) =>
      page
        .getByText(/cloud reports today/)
        .first()
        .waitFor(),
  },
  { name: 'report', address: ({ reportUrl }) => reportUrl, isNarrowToo: true, isDarkToo: true },
  {
    name: 'finding',
    isDarkToo: true,
    address: ({ reportUrl }) => reportUrl,
    async prepare(page) {
      await page.getByRole('list', { name: 'Findings', exact: true }).getByRole('link').first().click();
      await page.getByRole('article').waitFor();
      // Scrolls the page until the list and the panel are at the top of the window.
      await page.evaluate("document.getElementById('findings').scrollIntoView()");
    },
  },
  {
    name: 'share-sheet',
    isDarkToo: true,
    address: ({ reportUrl }) => reportUrl,
    async prepare(page) {
      await page.getByRole('button', { name: /^Share/ }).click();
      await page.getByRole('button', { name: 'Create share link' }).click();
      await page.getByRole('heading', { name: 'Preview for anyone with the link' }).waitFor();
      await page.getByText('13 findings', { exact: true }).waitFor();
    },
  },
  { name: 'shared', address: ({ sharedUrl }) => sharedUrl, isPublic: true, isDarkToo: true },
  {
    name: 'live',
    address: ({ liveUrl }) => liveUrl,
    prepare: (page) => page.getByText('Analysing code').first().waitFor(),
  },
  { name: 'sample', address: () => '/sample?as=customer', isPublic: true },
  { name: 'install', address: () => '/install', isPublic: true },
  { name: 'link-device', address: async (_seen, url) => `/link/${(await beginLink(url)).id}` },
  { name: 'api-reference', address: () => '/docs#createReport', isPublic: true },
];

if (process.argv.includes('--journey')) takeJourney();
else await takePages();

async function takePages(): Promise<void> {
  const folder = await fs.mkdtemp(path.join(os.tmpdir(), 'svc-screenshots-'));
  try {
    const never = new AbortController().signal;
    await using service = await startService(path.join(folder, 'data'), never);
    const seen = await makeShowcase(service.url);
    await using browser = await launchBrowser();
    await fs.rm(folderOfImages, { recursive: true, force: true });
    await fs.mkdir(folderOfImages, { recursive: true });
    for (const shot of shots) {
      await take(browser, shot, seen, service.url, { theme: 'light', width: WIDE, suffix: '-light' });
      if (shot.isDarkToo)
        await take(browser, shot, seen, service.url, { theme: 'dark', width: WIDE, suffix: '-dark' });
      if (shot.isNarrowToo)
        await take(browser, shot, seen, service.url, { theme: 'light', width: NARROW, suffix: '-narrow' });
    }
    await checkSize();
  } finally {
    await fs.rm(folder, { recursive: true, force: true });
  }
}

interface Look {
  readonly theme: 'light' | 'dark';
  readonly width: number;
  /** A part of the file name. */
  readonly suffix: string;
}

async function take(browser: Browser, shot: Shot, seen: Showcase, url: string, look: Look): Promise<void> {
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
    const [name = '', value = ''] = seen.cookie.split('=');
    await context.addCookies([{ name, value, url }]);
  }
  const page = await context.newPage();
  await page.goto(await shot.address(seen, url));
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  await shot.prepare?.(page);
  await page.evaluate('document.fonts.ready');
  const file = path.join(folderOfImages, `${shot.name}${suffix}.png`);
  await page.screenshot({ path: file, animations: 'disabled', caret: 'hide' });
  console.log(path.relative(process.cwd(), file));
}

/** Everyone who clones the repository downloads the images. */
async function checkSize(): Promise<void> {
  const names = await fs.readdir(folderOfImages);
  const sizes = await Promise.all(
    names.map(async (name) => (await fs.stat(path.join(folderOfImages, name))).size),
  );
  const total = sizes.reduce((sum, size) => sum + size, 0);
  console.log(`${names.length} images, ${Math.round(total / 1024)} KiB`);
  if (total > BYTES_MAX) throw new Error(`The images take more than ${BYTES_MAX / 1024} KiB.`);
}
