/**
 * Starts the built service for the suites, with rate limits and plans that they never reach. Everything that
 * `environment` does not set has its default.
 */
import { startServiceProcess, type ServiceProcess } from '@svc/testkit';
import { startReplicas, startSharedStores } from '@svc/testkit/replicas';
import { suiteFolder } from './folders.ts';
import type { SuiteOptions } from './result.ts';

export async function startService(
  { profileFolder, isDistributed = false }: SuiteOptions,
  given: Readonly<Record<string, string>> = {},
): Promise<ServiceProcess> {
  const profiling =
    profileFolder === undefined
      ? undefined
      : { NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${JSON.stringify(profileFolder)}` };
  const environment = { ...profiling, ...given };
  if (isDistributed) return startOnStores(environment);
  return startServiceProcess({
    program: 'bundle',
    generousThrottles: true,
    generousPlans: true,
    environment,
    dataDir: await suiteFolder('service'),
  });
}

/** One replica on a PostgreSQL whose commits reach the disk, a Ceph whose store is in memory, and Redis. */
async function startOnStores(environment: Readonly<Record<string, string>>): Promise<ServiceProcess> {
  const stores = await startSharedStores({ durable: true });
  const replicas = await startReplicas(stores, { count: 1, program: 'bundle', environment });
  const service = replicas.at(0);
  return {
    ...service,
    async stop() {
      const code = await service.stop();
      await replicas.close();
      await stores.remove();
      return code;
    },
  };
}
