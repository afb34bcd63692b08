/** Accessibility checks of a page: axe in both themes, and the fit in narrow and wide windows. */
import { axeViolations } from '@svc/testkit/axe';
import { isThorough } from '@svc/testkit/lane';
import type { Page } from 'playwright-core';

const NARROW = 360;
const widths = [768, 1280, NARROW];

const quick = {
  resultTypes: ['violations' as const],
  // The pages have no orientation lock; checking it would reload all styles.
  preload: false,
};
/** Off by default in axe: the visible label must be part of the accessible name. */
const allRules = { ...quick, rules: { 'label-content-name-mismatch': { enabled: true } } };
/** The only rule that depends on the theme. */
const contrast = { ...quick, runOnly: ['color-contrast'] };

const tooWide = `[document.documentElement, ...document.querySelectorAll('dialog[open]')]
  .filter((element) => element.scrollWidth > element.clientWidth)
  .map((element) => element.localName + ' is ' + element.scrollWidth + ' wide')`;

export type Theme = 'light' | 'dark';

/**
 * The accessibility problems of the current page. The light theme is checked with all rules, the dark theme with the contrast
 * rule only. Overflow is checked with the light theme; in the thorough run, which visits each state only once, with both. The
 * page is light afterwards, and narrow if overflow was checked.
 */
export async function findingsOf(page: Page, theme: Theme): Promise<string[]> {
  const found = theme === 'dark' ? await findingsInDark(page) : await axeViolations(page, allRules);
  if (theme === 'light' || isThorough) found.push(...(await overflows(page)));
  return found;
}

export async function findingsInBothThemes(page: Page): Promise<string[]> {
  return [...(await findingsOf(page, 'light')), ...(await findingsOf(page, 'dark'))];
}

async function overflows(page: Page): Promise<string[]> {
  const found: string[] = [];
  for (const width of widths) {
    await page.setViewportSize({ width, height: 800 });
    const wide = await page.evaluate<string[]>(tooWide);
    found.push(...wide.map((text) => `${text} in a window of ${width}`));
  }
  return found;
}

async function findingsInDark(page: Page): Promise<string[]> {
  await page.emulateMedia({ colorScheme: 'dark' });
  const found = await axeViolations(page, contrast);
  await page.emulateMedia({ colorScheme: 'light' });
  return found.map((text) => `dark: ${text}`);
}
