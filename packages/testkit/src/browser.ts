/** A real browser, if the machine has one. */
import { existsSync } from 'node:fs';
import { chromium, type Browser } from 'playwright-core';

const PLACES = [
  process.env['SVC_TEST_BROWSER'],
  // This browser has no window, and opens a page in half the time.
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

const executable = PLACES.find((place) => place !== undefined && existsSync(place));

/** Without a browser, tests are skipped on developer machines and fail in CI. */
export const browserMissing = executable === undefined && process.env['CI'] !== 'true';

export const browserArguments = [
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // Chromium's sandbox does not run as root.
  ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
];

/** @throws Error if the machine has no browser. */
export function browserExecutable(): string {
  if (executable === undefined)
    throw new Error('No browser: install chromium, or name one in SVC_TEST_BROWSER.');
  return executable;
}

export async function launchBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: browserExecutable(), args: browserArguments });
}

let shared: Promise<Browser> | undefined;

/**
 * One browser for all test files of a worker, each with its own context. It ends with the process. A crashed browser
 * is replaced for the next file.
 */
export async function sharedBrowser(): Promise<Browser> {
  if (!(await shared)?.isConnected()) shared = launchBrowser();
  return shared as Promise<Browser>;
}
