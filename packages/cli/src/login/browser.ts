/** Opens a page of the service in a browser, if the person's own machine has one. */
import type { Environment } from '../environment.ts';

/**
 * False over SSH, in CI, and on Linux without a display: the browser would open where nobody sees it, or not at all.
 */
export function hasBrowser(environment: Environment, platform: NodeJS.Platform = process.platform): boolean {
  const isSet = (name: string) => Boolean(environment[name]);
  if (isSet('CI') || isSet('SSH_CONNECTION') || isSet('SSH_CLIENT') || isSet('SSH_TTY')) return false;
  if (platform !== 'linux') return true;
  return isSet('DISPLAY') || isSet('WAYLAND_DISPLAY') || isSet('WSL_DISTRO_NAME');
}

/** @returns whether a browser was started. Opens web pages only, because a service could send any address. */
export async function openPage(address: string, environment: Environment): Promise<boolean> {
  const url = URL.parse(address);
  if (!url || !['http:', 'https:'].includes(url.protocol)) return false;
  const { startBrowser } = await import('../programs/browser.ts');
  return startBrowser(url.href, environment);
}
