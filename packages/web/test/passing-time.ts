/** Lets time pass on a page, so that no test waits for pauses between requests. */
import type { Locator } from 'playwright-core';
import { expect } from 'vitest';

const STEP_MS = 1000;

/** Until the page shows the element, a second passes on it at each look. Install its clock before it loads. */
export async function passTimeUntil(shown: Locator): Promise<void> {
  const { clock } = shown.page();
  await expect.poll(() => clock.runFor(STEP_MS).then(() => shown.count())).toBe(1);
}
