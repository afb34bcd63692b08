/**
 * The key for digests of counted events. It is derived from the deployment's first master key, and never stored
 * unsealed (kept-keys.ts). Someone with only the database therefore cannot check a guess of an account and an event.
 */
import type { DeriveKey } from './kept-keys.ts';

export interface AnalyticsKeys {
  ofSeenEvents(): Uint8Array;
}

export function createAnalyticsKeys(derive: DeriveKey): AnalyticsKeys {
  const key = derive('svc memory of counted events');
  return { ofSeenEvents: () => key };
}
