/**
 * Starts the built service for the suites, with rate limits and plans that they never reach. Everything that
 * `environment` does not set has its default.
 */
import { startServiceProcess, type ServiceProcess } from '@svc/testkit';
import type { SuiteOptions } from './result.ts';

export function startService(
  { profileFolder }: SuiteOptions,
  environment: Readonly<Record<string, string>> = {},
): Promise<ServiceProcess> {
  const profiling =
    profileFolder === undefined
      ? undefined
      : { NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${JSON.stringify(profileFolder)}` };
  return startServiceProcess({
    program: 'bundle',
    generousThrottles: true,
    generousPlans: true,
    environment: { ...profiling, ...environment },
  });
}
