/** Tracks the services that a fault has started, so that none outlives a failed fault. */
import { startServiceProcess, type ServiceProcess, type ServiceProcessOptions } from '@svc/testkit';

const running = new Set<ServiceProcess>();

/** Starts the service with plans and rate limits that no fault reaches. */
export async function startService(options: ServiceProcessOptions): Promise<ServiceProcess> {
  const service = await startServiceProcess({ ...options, generousThrottles: true, generousPlans: true });
  running.add(service);
  void service.ended.then(() => running.delete(service));
  return service;
}

/** Kills the running services. A fault calls this before it removes their disk or database. */
export async function endServices(): Promise<void> {
  const left = [...running];
  for (const service of left) service.signal('SIGKILL');
  await Promise.all(left.map(({ ended }) => ended));
}
