/** From where a program may be downloaded: over https, or unencrypted from this machine itself. */
import { isLoopback } from '../connection/origin.ts';

/** Undefined when downloading from there is not allowed. */
export function artifactAddress(text: string, base?: URL): URL | undefined {
  const url = URL.parse(text, base?.href);
  if (!url || url.username !== '' || url.password !== '') return undefined;
  if (url.protocol === 'https:') return url;
  const isLocal = url.protocol === 'http:' && isLoopback(url.hostname);
  // An encrypted transfer never continues unencrypted.
  return isLocal && base?.protocol !== 'https:' ? url : undefined;
}
