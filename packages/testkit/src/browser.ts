/** A real browser, where the machine has one. */
import { existsSync } from 'node:fs';
import { chromium, type Browser } from 'playwright-core';

const PLACES = [
  process.env['SVC_TEST_BROWSER'],
  // Has no windows to draw, and opens a page in half the time.
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

const executable = PLACES.find((place) => place !== undefined && existsSync(place));

/** Where people work, tests without their browser are skipped; in CI they fail. */
export const browserMissing = executable === undefined && process.env['CI'] !== 'true';

export const browserArguments = [
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // Chromium's own sandbox refuses to run as root.
  ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
];

/** @throws Error when the machine has none. */
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
 * One for all test files of a worker, which take contexts of their own from it. It ends with the process.
 * One that crashed is replaced for the next file.
 */
export async function sharedBrowser(): Promise<Browser> {
  if (!(await shared)?.isConnected()) shared = launchBrowser();
  return shared as Promise<Browser>;
}
