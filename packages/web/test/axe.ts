/** Accessibility checks of a page: axe in both themes, and the fit in narrow and wide windows. */
import { axeViolations } from '@svc/testkit/axe';
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
 * The accessibility problems of the current page. The light theme is checked with all rules, and for overflow at every
 * width. The dark theme is checked with the contrast rule only. The page is narrow and light before and after.
 */
export async function findingsOf(page: Page, theme: Theme): Promise<string[]> {
  if (theme === 'dark') return findingsInDark(page);
  const found = await axeViolations(page, allRules);
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
