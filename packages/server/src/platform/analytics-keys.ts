/**
 * The key under which counted events are remembered. It follows from the deployment's master key and is kept nowhere:
 * whoever has the database alone can hold no guess of an account and an event against what is remembered.
 */
import { deriveKey } from './sealing.ts';

export interface AnalyticsKeys {
  ofSeenEvents(): Uint8Array;
}

export function createAnalyticsKeys(masterKey: Uint8Array): AnalyticsKeys {
  const key = deriveKey(masterKey, 'svc memory of counted events');
  return { ofSeenEvents: () => key };
}
