/** The service that answered this command last, with its credential, so that pending events can be sent to it. */
import type { Client } from '@svc/client';

export interface ReachedService {
  readonly origin: string;
  readonly client: Client;
}

let latest: ReachedService | null = null;

/** Null unless the last call succeeded with a credential. */
export function noteAnswer(service: ReachedService | null): void {
  latest = service;
}

export function answered(): ReachedService | null {
  return latest;
}
