/** The services that a fault has started, so that none outlives a fault that breaks off. */
import { startServiceProcess, type ServiceProcess, type ServiceProcessOptions } from '@svc/testkit';

const running = new Set<ServiceProcess>();

/** With plans and throttles that no fault uses up. */
export async function startService(options: ServiceProcessOptions): Promise<ServiceProcess> {
  const service = await startServiceProcess({ ...options, generousThrottles: true, generousPlans: true });
  running.add(service);
  void service.ended.then(() => running.delete(service));
  return service;
}

/** Ends those that still run; a fault calls it before it takes their disk or database away. */
export async function endServices(): Promise<void> {
  const left = [...running];
  for (const service of left) service.signal('SIGKILL');
  await Promise.all(left.map(({ ended }) => ended));
}
