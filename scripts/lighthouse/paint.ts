/**
 * Measures pages in a browser with a processor four times slower and a network of 10 Mbit/s: the largest contentful
 * paint, layout shifts, and when the boxes of a list can be used. Each run has an empty cache.
 */
import type { Browser } from 'playwright-core';
import { median } from './median.ts';

const RUNS = 5;
const CPU_TIMES_SLOWER = 4;
const network = {
  offline: false,
  downloadThroughput: 10_000_000 / 8,
  uploadThroughput: 10_000_000 / 8,
  /** Milliseconds from a request to the first byte of its answer. */
  latency: 40,
};
const WAITED_MS_MAX = 60_000;

/** Runs in the page before its own scripts. Times are in milliseconds since the navigation. */
const observe = `window.measured = { largest: 0, shift: 0, usable: null };
new PerformanceObserver((list) => {
  for (const { startTime } of list.getEntries()) measured.largest = startTime;
}).observe({ type: 'largest-contentful-paint', buffered: true });
new PerformanceObserver((list) => {
  for (const { value, hadRecentInput } of list.getEntries()) measured.shift += hadRecentInput ? 0 : value;
}).observe({ type: 'layout-shift', buffered: true });
const boxes = 'input[data-select]:enabled, input[data-select-group]:enabled';
requestAnimationFrame(function look() {
  if (document.querySelector(boxes) === null) requestAnimationFrame(look);
  else measured.usable = performance.now();
});`;

/** A slow processor paints after the network is idle, so measuring ends 1.5 seconds after the first paint. */
const settled = `new Promise((resolve) => {
  const look = () => (measured.largest === 0 ? setTimeout(look, 100) : setTimeout(() => resolve(measured), 1500));
  look();
})`;

interface Measured {
  readonly largest: number;
  readonly shift: number;
  readonly usable: number | null;
}

export interface PaintGoal {
  readonly largestMs?: number;
  /** Until the boxes of the list can be used. */
  readonly usableMs?: number;
}

/** Prints the medians of several runs. @returns whether they reach the goal. */
export async function measurePaint(
  browser: Browser,
  name: string,
  address: string,
  goal: PaintGoal,
  cookie?: string,
): Promise<boolean> {
  const runs: Measured[] = [];
  for (let run = 0; run < RUNS; run += 1)
    runs.push(await measureOnce(browser, address, goal.usableMs !== undefined, cookie));
  const largest = Math.round(median(runs.map((run) => run.largest)));
  const usable = Math.round(median(runs.map((run) => run.usable ?? Infinity)));
  const shift = median(runs.map((run) => run.shift));
  const parts = [
    { text: `largest paint ${largest} ms`, isEnough: largest <= (goal.largestMs ?? Infinity) },
    ...(goal.usableMs === undefined
      ? []
      : [{ text: `boxes usable ${usable} ms`, isEnough: usable <= goal.usableMs }]),
    { text: `shift ${shift.toFixed(4)}`, isEnough: goal.usableMs === undefined || shift < 0.001 },
  ];
  console.log(
    `${name.padEnd(22)} ${parts.map(({ text, isEnough }) => `${isEnough ? '✓' : '✗'} ${text}`).join('  ')}`,
  );
  return parts.every(({ isEnough }) => isEnough);
}

async function measureOnce(
  browser: Browser,
  address: string,
  hasBoxes: boolean,
  cookie?: string,
): Promise<Measured> {
  await using context = await browser.newContext({
    viewport: { width: 1280, height: 720 },
    reducedMotion: 'reduce',
  });
  const [name = '', value = ''] = cookie?.split('=') ?? [];
  if (name !== '') await context.addCookies([{ name, value, url: new URL(address).origin }]);
  const page = await context.newPage();
  page.setDefaultTimeout(WAITED_MS_MAX);
  await page.addInitScript(observe);
  const devtools = await context.newCDPSession(page);
  await devtools.send('Network.emulateNetworkConditions', network);
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: CPU_TIMES_SLOWER });
  await page.goto(address);
  if (hasBoxes)
    await page.locator('input[data-select]:enabled, input[data-select-group]:enabled').first().waitFor();
  await page.waitForLoadState('networkidle');
  return await page.evaluate<Measured>(settled);
}
