/** Loads the code of a page on first use, and distinguishes an unreachable service from missing code. */
import { lazyRouteComponent } from '@tanstack/react-router';
import { ask, isPassing } from '../lib/api.ts';

/**
 * The router reloads the document if code is gone, as after a new version. Without a connection, that reload would
 * replace the page with the browser's own error.
 */
export const lazyPage: typeof lazyRouteComponent = (load, name) =>
  lazyRouteComponent(async () => {
    // Browsers may remember that a script failed to load, so do not request it while offline.
    if (!navigator.onLine) await expectAnswer();
    try {
      return await load();
    } catch (error) {
      await expectAnswer();
      throw error;
    }
  }, name);

/**
 * A service on this machine responds even without a network.
 * @throws ConnectionError, UnexpectedAnswerError, ApiError if further requests would fail too.
 */
async function expectAnswer(): Promise<void> {
  try {
    await ask('getSession');
  } catch (error) {
    if (isPassing(error)) throw error;
  }
}
