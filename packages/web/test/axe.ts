/** Whether everyone can use a page: what axe finds on it in both themes, and whether it fits narrow and wide windows. */
import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';

const NARROW = 360;
const widths = [768, 1280, NARROW];

const options = {
  resultTypes: ['violations' as const],
  // The pages have no orientation lock, for which alone the tool would load all styles again.
  preload: false,
  // Off by default: people who talk to a page say what they read on it.
  rules: { 'label-content-name-mismatch': { enabled: true } },
};

interface Violation {
  readonly id: string;
  readonly help: string;
  readonly nodes: readonly { readonly target: readonly unknown[] }[];
}

const listed = (violations: readonly Violation[]) =>
  violations.map(
    ({ id, help, nodes }) => `${id}: ${help}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`,
  );

/** What axe finds by all its rules on the page as it is. */
export async function axeFindings(page: Page): Promise<string[]> {
  // The pages have no frames; for frames the tool would sum up in a page of its own, which takes three times as long.
  const { violations } = await new AxeBuilder({ page }).setLegacyMode(true).options(options).analyze();
  return listed(violations);
}

/** Once more by the only rule that depends on the theme, with the tool that is still on the page. */
async function contrastFindings(page: Page): Promise<string[]> {
  const { violations } = await page.evaluate<{ violations: readonly Violation[] }>(
    `axe.run(document, { runOnly: ['color-contrast'], resultTypes: ['violations'], preload: false })`,
  );
  return listed(violations);
}

const tooWide = `[document.documentElement, ...document.querySelectorAll('dialog[open]')]
  .filter((element) => element.scrollWidth > element.clientWidth)
  .map((element) => element.localName + ' is ' + element.scrollWidth + ' wide')`;

/** All that is wrong with the page as it is. The page is narrow and light before and after. */
export async function findingsOf(page: Page): Promise<string[]> {
  const found = await axeFindings(page);
  for (const width of widths) {
    await page.setViewportSize({ width, height: 800 });
    const wide = await page.evaluate<string[]>(tooWide);
    found.push(...wide.map((text) => `${text} in a window of ${width}`));
    if (width !== 1280) continue;
    await page.emulateMedia({ colorScheme: 'dark' });
    found.push(...(await contrastFindings(page)).map((text) => `dark: ${text}`));
    await page.emulateMedia({ colorScheme: 'light' });
  }
  return found;
}
