/** The setup of page tests: a server, and watched pages in a browser. */
import {
  startServer,
  type DeviceActor,
  type SessionActor,
  type TestServer,
  type TestServerOptions,
} from '@svc/testkit';
import { browserMissing, sharedBrowser } from '@svc/testkit/browser';
import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect } from 'vitest';
import { describeWindow } from './failure-scene.ts';
import { openWindow, type TestWindow, type WatchedPage, type WatchOptions } from './test-window.ts';

/** Skipped without a browser. */
// oxlint-disable-next-line vitest/valid-title, vitest/valid-describe-callback -- its callers give it both
export const describePages = describe.skipIf(browserMissing);

export interface BrowserSuite {
  /** Empty until the tests start. */
  readonly server: TestServer;
  readonly browser: () => Browser;
  /** A page without data of earlier tests. The test fails if the page reports a problem. */
  readonly watch: (options?: WatchOptions) => Promise<WatchedPage>;
  /** A page that has rendered its heading. */
  readonly visit: (path: string, options?: WatchOptions) => Promise<WatchedPage>;
  /** A new user with a linked device. */
  readonly newcomer: () => Promise<{ readonly owner: SessionActor; readonly device: DeviceActor }>;
}

/** Call it in a `describe`; its members exist from the first `beforeAll` on. */
export function browserSuite(options: TestServerOptions = {}): BrowserSuite {
  const server = {} as TestServer;
  let browser: Browser;
  beforeAll(async () => {
    Object.assign(server, await startServer(options));
    browser = await sharedBrowser();
  });
  afterAll(async () => {
    await Promise.all(idle.map(({ context }) => context.close()));
    await server.close();
  });
  const inUse: { readonly window: TestWindow; readonly isUsual: boolean }[] = [];
  const idle: TestWindow[] = [];
  afterEach(async ({ task }) => {
    if (task.result?.state === 'fail')
      for (const { window } of inUse)
        process.stderr.write(await describeWindow(window.context, window.requests));
    const complaints: string[] = [];
    for (const { window, isUsual } of inUse.splice(0)) {
      const ended = await window.end(isUsual);
      if (ended.isReusable) idle.push(window);
      complaints.push(...ended.complaints);
    }
    expect(complaints).toEqual([]);
  });
  async function watch(given: WatchOptions = {}): Promise<WatchedPage> {
    const isUsual = given.url === undefined && !given.isPhone;
    const window =
      (isUsual ? idle.pop() : undefined) ??
      (await openWindow(browser, given.url ?? server.url, given.isPhone));
    inUse.push({ window, isUsual });
    await window.begin(given);
    return window;
  }
  return {
    server,
    browser: () => browser,
    watch,
    async visit(path, given) {
      const watched = await watch(given);
      await watched.page.goto(path);
      await watched.page.getByRole('heading', { level: 1 }).waitFor();
      return watched;
    },
    async newcomer() {
      const owner = await server.signUp();
      return { owner, device: await server.linkDevice(owner) };
    },
  };
}
