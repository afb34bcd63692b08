/** What every feature gives to the composition: its endpoints, and its periodic jobs. */
import type { Route } from '#http/route';
import type { Job } from '#platform/sweeper';

export interface Feature {
  readonly routes: readonly Route[];
  readonly jobs: readonly Job[];
}
