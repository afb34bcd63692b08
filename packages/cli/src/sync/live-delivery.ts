/**
 * Delivers the events of a running scan in the background, about once a second. It never delays or ends the scan. While the
 * service is unreachable, events wait in the store, and creating the shell is tried again. Each attempt is a single call
 * that does not use the command's retry budget, which the sync at the end needs.
 */
import { jittered } from '../connection/retry-budget.ts';
import { CliError } from '../errors.ts';
import type { LocalReport } from '../store/local-report.ts';
import type { SyncContext } from './context.ts';
import { EventRateLimit } from './event-rate-limit.ts';
import { deliverAll } from './outbox.ts';
import { ensureShell } from './shell.ts';

const EVERY_MS = 1000;
const PAUSE_MAX_MS = 30_000;

export interface LiveDelivery {
  /** Settles when the shell exists, or when the first attempt to create it failed. Never rejects. */
  readonly begun: Promise<void>;
  /** Ends everything under way. */
  stop(): Promise<void>;
}

export interface LiveDeliveryOptions extends Omit<SyncContext, 'signal'> {
  readonly localReportId: string;
  /** Called once, as soon as the report can be seen in the service. */
  readonly onShell: (report: LocalReport) => void;
  /** Called for a rejection that waiting cannot fix; then no more attempts follow. */
  readonly onRejection: (error: CliError) => void;
}

export function startLive({
  localReportId,
  onShell,
  onRejection,
  ...given
}: LiveDeliveryOptions): LiveDelivery {
  const ending = new AbortController();
  const { signal } = ending;
  const context: SyncContext = {
    ...given,
    signal,
    connection: given.connection.withSignal(signal).withoutRetries(),
  };
  const budget = new EventRateLimit();
  const begun = Promise.withResolvers<void>();
  let hasShell = false;

  async function deliver(): Promise<void> {
    if (!hasShell) {
      const { report } = await ensureShell(context, localReportId);
      hasShell = true;
      onShell(report);
      begun.resolve();
    }
    await deliverAll(context, localReportId, budget);
  }

  async function run(): Promise<void> {
    let failures = 0;
    while (!signal.aborted) {
      let waitMs = EVERY_MS;
      try {
        await deliver();
        failures = 0;
      } catch (error) {
        if (!(error instanceof CliError)) throw error;
        if (signal.aborted) break;
        if (error.reason !== 'unavailable') return onRejection(error);
        failures += 1;
        waitMs = (error.retryAfterMs ?? 0) + jittered(Math.min(PAUSE_MAX_MS, EVERY_MS * 2 ** failures));
      } finally {
        begun.resolve();
      }
      await given.clock.wait(waitMs, signal).catch(() => undefined);
    }
  }

  const ended = run();
  // Awaited by `stop`; until then the rejection must not count as unhandled.
  ended.catch(() => undefined);
  return {
    begun: begun.promise,
    stop() {
      ending.abort();
      return ended;
    },
  };
}
