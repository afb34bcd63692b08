/** Which service answered this command last, with its credential: what waits for the service can go along then. */
import type { Client } from '@svc/client';

export interface Answered {
  readonly origin: string;
  readonly client: Client;
}

let latest: Answered | null = null;

/** Null when the last call had no answer. */
export function noteAnswer(service: Answered | null): void {
  latest = service;
}

export function answered(): Answered | null {
  return latest;
}
