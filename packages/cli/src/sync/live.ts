/**
 * Delivers what a scan says while it runs, about once a second, in the background. It never holds the scan up and never
 * ends it: while the service is away events wait in the store, and the shell that could not be made is tried again.
 */
import { CliError } from '../errors.ts';
import type { LocalReport } from '../store/local-report.ts';
import type { SyncContext } from './context.ts';
import { EventBudget } from './event-budget.ts';
import { deliverAll } from './outbox.ts';
import { ensureShell } from './shell.ts';

const EVERY_MS = 1000;
const PAUSE_MAX_MS = 30_000;

export interface Live {
  /** Settles when there is a shell, or when the first try to make one failed. Never rejects. */
  readonly begun: Promise<void>;
  /** Ends what is under way. */
  stop(): Promise<void>;
}

export interface LiveOptions extends Omit<SyncContext, 'signal'> {
  readonly localReportId: string;
  /** Called once, as soon as the report can be seen in the service. */
  readonly onShell: (report: LocalReport) => void;
  /** Called when the service refuses what no waiting mends; nothing more is tried then. */
  readonly onRefusal: (error: CliError) => void;
}

export function startLive({ localReportId, onShell, onRefusal, ...given }: LiveOptions): Live {
  const ending = new AbortController();
  const { signal } = ending;
  const context: SyncContext = { ...given, signal, connection: given.connection.withSignal(signal) };
  const budget = new EventBudget();
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
    let pauseMs = EVERY_MS;
    while (!signal.aborted) {
      try {
        await deliver();
        pauseMs = EVERY_MS;
      } catch (error) {
        if (!(error instanceof CliError)) throw error;
        if (signal.aborted) break;
        if (error.reason !== 'unavailable') return onRefusal(error);
        pauseMs = Math.min(PAUSE_MAX_MS, pauseMs * 2);
      } finally {
        begun.resolve();
      }
      await given.clock.wait(pauseMs, signal).catch(() => undefined);
    }
  }

  const ended = run();
  // Looked at when it is stopped; until then it is no rejection that nobody handles.
  ended.catch(() => undefined);
  return {
    begun: begun.promise,
    stop() {
      ending.abort();
      return ended;
    },
  };
}
