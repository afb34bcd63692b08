/** Accessibility violations of a page, found by axe. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

let source: string | undefined;

/**
 * The page must have no frames, since axe runs only in the page itself.
 *
 * @param options of `axe.run`.
 * @returns a line for each rule that the page violates, with the selectors of the elements.
 */
export async function axeViolations(page: Page, options: object): Promise<string[]> {
  if (!(await page.evaluate<boolean>(`'axe' in window`))) {
    source ??= readFileSync(fileOfAxe(), 'utf8');
    await page.evaluate(source);
  }
  // The page composes the lines, since the results list every element that passed too.
  return page.evaluate<string[]>(`axe.run(document, ${JSON.stringify(options)}).then(({ violations }) =>
    violations.map(({ id, help, nodes }) => id + ': ' + help + ': ' + nodes.map(({ target }) => target.join(' ')).join(', ')))`);
}

/** The minified build of axe. `AxeBuilder` sends the full one, which takes a second longer for each page. */
function fileOfAxe(): string {
  const require = createRequire(import.meta.url);
  return createRequire(require.resolve('@axe-core/playwright')).resolve('axe-core/axe.min.js');
}
