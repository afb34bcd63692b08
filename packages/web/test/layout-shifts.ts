/** Measures how much a page shifts its layout while its data arrives, one response after another. */
import type { Locator, Page, Route } from 'playwright-core';

/** Starts to measure, and holds the requests of the page's API until `shiftUntil`. Call it before the page is opened. */
export async function holdRequests(page: Page) {
  const held: Route[] = [];
  let next = Promise.withResolvers<void>();
  await page.context().addInitScript(
    `window.shifted = 0;
    new PerformanceObserver((list) => {
      for (const { value } of list.getEntries()) window.shifted += value;
    }).observe({ type: 'layout-shift', buffered: true });`,
  );
  await page.route('**/api/v1/**', (route) => {
    held.push(route);
    next.resolve();
  });
  return {
    /** A request is held, and the page has painted what it shows meanwhile. */
    async untilHeld(): Promise<void> {
      await next.promise;
      await painted(page);
    },
    /** Releases the requests one by one until the page shows the element, and returns the sum of all shifts. */
    async shiftUntil(last: Locator, order: 'oldest' | 'newest' = 'oldest'): Promise<number> {
      const isShown = last.waitFor().then(() => true);
      for (;;) {
        const route = order === 'oldest' ? held.shift() : held.pop();
        if (route) await release(route);
        await painted(page);
        if (held.length > 0) continue;
        next = Promise.withResolvers();
        const isDone = await Promise.race([isShown, next.promise]);
        if (isDone === true && held.length === 0) break;
      }
      await page.unroute('**/api/v1/**');
      await painted(page);
      return page.evaluate<number>('shifted');
    },
  };
}

async function release(route: Route): Promise<void> {
  await route.fulfill({ response: await route.fetch() });
}

async function painted(page: Page): Promise<void> {
  await page.evaluate(
    'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done))))',
  );
}
