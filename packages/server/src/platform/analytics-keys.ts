/**
 * The key for digests of counted events. It is derived from the deployment's master key and stored nowhere. Someone with
 * only the database therefore cannot check a guess of an account and an event.
 */
import { deriveKey } from './sealing.ts';

export interface AnalyticsKeys {
  ofSeenEvents(): Uint8Array;
}

export function createAnalyticsKeys(masterKey: Uint8Array): AnalyticsKeys {
  const key = deriveKey(masterKey, 'svc memory of counted events');
  return { ofSeenEvents: () => key };
}
