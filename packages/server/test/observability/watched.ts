/** Services that a real Prometheus watches with the rules of `deploy/observability`. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import {
  startPrometheus,
  type FiringAlert,
  type PrometheusOptions,
  type PrometheusServer,
} from '@svc/testkit/prometheus-server';
import {
  startServiceProcess,
  type ServiceProcess,
  type ServiceProcessOptions,
} from '@svc/testkit/service-process';

export const deployFolder = path.join(import.meta.dirname, '../../../../deploy/observability');
export const rules = readFileSync(path.join(deployFolder, 'alerts.yml'), 'utf8');

export const METRICS_TOKEN = 'a-token-for-the-metrics-of-tests';
/** A scrape may be late on a busy machine without an alert. */
export const UNHURRIED = { factor: 20 };
/** A scrape may take long: checks of a dependency that hangs take three seconds, and under load everything is late. */
export const PATIENT = { scrapedEveryMs: 4000, factor: 20 };
const QUIET_MS = 30_000;
const LOOKED_EVERY_MS = 500;

export function startWatchable(options: ServiceProcessOptions = {}): Promise<ServiceProcess> {
  return startServiceProcess({
    generousThrottles: true,
    generousPlans: true,
    ...options,
    environment: { METRICS_TOKEN, ...options.environment },
  });
}

export function watch(
  services: readonly ServiceProcess[],
  options: Partial<PrometheusOptions> = {},
): Promise<PrometheusServer> {
  return startPrometheus({
    rules,
    factor: 60,
    scrapedEveryMs: 1000,
    targets: services.map(({ port }) => `127.0.0.1:${port}`),
    token: METRICS_TOKEN,
    ...options,
  });
}

/** The alerts that fire while people use the service as usual. */
export async function alertsDuring(
  prometheus: PrometheusServer,
  use: () => Promise<unknown>,
): Promise<readonly FiringAlert[]> {
  const seen: FiringAlert[] = [];
  const until = performance.now() + QUIET_MS;
  while (performance.now() < until) {
    await use();
    seen.push(...(await prometheus.firing()));
    await pause(LOOKED_EVERY_MS);
  }
  return seen;
}

/** Repeats `work` until `until` has ended. The work may fail, because some tests cause its failures. */
export async function whileRepeating(
  work: () => Promise<unknown>,
  { parallel, everyMs = 0 }: { readonly parallel: number; readonly everyMs?: number },
  until: () => Promise<void>,
): Promise<void> {
  const state = { isOver: false };
  async function repeat(): Promise<void> {
    while (!state.isOver) {
      await work().catch(() => undefined);
      await pause(everyMs);
    }
  }
  const repeating = Array.from({ length: parallel }, repeat);
  try {
    await until();
  } finally {
    state.isOver = true;
    await Promise.all(repeating);
  }
}

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}
