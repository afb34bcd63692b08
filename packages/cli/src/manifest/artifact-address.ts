/** Where a program may be fetched from: by https, or unencrypted from this machine itself. */
import { isLoopback } from '../connection/origin.ts';

/** Undefined when it may not be fetched from there. */
export function artifactAddress(text: string, base?: URL): URL | undefined {
  const url = URL.parse(text, base?.href);
  if (!url || url.username !== '' || url.password !== '') return undefined;
  if (url.protocol === 'https:') return url;
  const isLocal = url.protocol === 'http:' && isLoopback(url.hostname);
  // What was encrypted does not go on unencrypted.
  return isLocal && base?.protocol !== 'https:' ? url : undefined;
}
