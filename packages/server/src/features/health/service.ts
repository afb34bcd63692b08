/** Readiness: checks each dependency at most once a second, however often a client asks. */
import type { ReadyChecks } from '@svc/contract';
import type { Clock } from '#platform/clock';
import { describeError, type Log } from '#platform/log';

const ASKED_EVERY_MS = 1000;

/** A dependency; `check` throws when it does not work. */
export interface Checked {
  check(): Promise<void>;
}

export interface HealthPorts {
  readonly clock: Clock;
  readonly log: Log;
  readonly version: string;
  readonly dependencies: Readonly<Record<keyof ReadyChecks, Checked>>;
  /** True once the service is about to stop: it still answers, but should receive no new requests. */
  readonly isStopping: () => boolean;
}

export interface HealthService {
  readonly version: string;
  ready(): Promise<{ readonly ready: boolean; readonly checks: ReadyChecks }>;
}

export function createHealthService({
  clock,
  log,
  version,
  dependencies,
  isStopping,
}: HealthPorts): HealthService {
  let asked: { readonly at: number; readonly checks: Promise<ReadyChecks> } | undefined;

  async function ask(): Promise<ReadyChecks> {
    const results = await Promise.all(
      Object.entries(dependencies).map(async ([name, dependency]) => {
        try {
          await dependency.check();
          return [name, 'ok'] as const;
        } catch (error) {
          log.error('dependency failing', { job: name, error: describeError(error) });
          return [name, 'failing'] as const;
        }
      }),
    );
    return Object.fromEntries(results) as ReadyChecks;
  }

  return {
    version,
    async ready() {
      const now = clock.now();
      if (!asked || Math.abs(now - asked.at) >= ASKED_EVERY_MS) asked = { at: now, checks: ask() };
      const checks = await asked.checks;
      return { ready: !isStopping() && Object.values(checks).every((check) => check === 'ok'), checks };
    },
  };
}
