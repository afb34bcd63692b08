/** What every feature hands to the composition: the endpoints it answers, and the jobs that tidy up after it. */
import type { Route } from '#http/route';
import type { Job } from '#platform/sweeper';

export interface Feature {
  readonly routes: readonly Route[];
  readonly jobs: readonly Job[];
}
