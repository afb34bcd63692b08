/** Loads the code of a page when it is first wanted, and says when that fails only because the service is out of reach. */
import { lazyRouteComponent } from '@tanstack/react-router';
import { ask, isPassing } from '../lib/api.ts';

/**
 * The router loads the document again where code is gone, as after a new version. Without a connection that would put the
 * browser's own error in the place of everything that is still there.
 */
export const lazyPage: typeof lazyRouteComponent = (load, name) =>
  lazyRouteComponent(async () => {
    // Browsers may keep in mind that a script could not be had, so that it is not asked for in vain.
    if (!navigator.onLine) await expectAnswer();
    try {
      return await load();
    } catch (error) {
      await expectAnswer();
      throw error;
    }
  }, name);

/**
 * A service on this machine answers without any network.
 * @throws ConnectionError, UnexpectedAnswerError, Refusal when there is no use in asking for more.
 */
async function expectAnswer(): Promise<void> {
  try {
    await ask('getSession');
  } catch (error) {
    if (isPassing(error)) throw error;
  }
}
