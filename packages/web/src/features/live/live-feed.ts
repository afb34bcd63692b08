/**
 * Follows a live report in one tab. A browser opens only six connections to a server for all tabs, so one of the tabs
 * that show the report is the leader. It holds the event stream, polls whether the report is final, and updates the
 * other tabs. A Web Lock elects the leader. When the leader is closed or hidden, another tab gets the lock, so hidden
 * tabs hold no stream. In a browser that lets tabs share nothing, each tab works alone.
 */
import { streamAddress } from '@svc/client';
import type { ProgressEvent, ReportRead, StreamHello } from '@svc/contract';
import { client, isApiError, ApiError } from '../../lib/api.ts';
import { openChannel, withLock } from '../../lib/between-tabs.ts';
import { readEventStream } from '../../lib/event-stream.ts';
import { messageOf } from '../../ui/failure.tsx';
import {
  lastNumber,
  nothingYet,
  withEvents,
  type Connection,
  type Ending,
  type Followed,
  type Numbered,
} from './followed.ts';
import { pause, pauseMs } from './pause.ts';

/** Polling interval during the scan: the stream does not say when a report is final. */
const LOOKED_EVERY_MS = 3000;
/** Polling interval from the end of the scan on: the report is about to be final. */
const LOOKED_AT_THE_END_EVERY_MS = 1000;
/** A stream that the service ends after at least this long does not count as a failure. */
const LIVED_MS = 5000;

type Message =
  | { readonly kind: 'ask'; readonly after: number }
  | ({ readonly kind: 'tell'; readonly after: number; readonly events: readonly Numbered[] } & Pick<
      Followed,
      'connection' | 'ending'
    >);

export class LiveFeed {
  readonly #reportId: string;
  /** The name of the channel and of the lock that the tabs share. */
  readonly #name: string;
  readonly #listeners = new Set<() => void>();
  #followed = nothingYet;
  #channel: ReturnType<typeof openChannel> = null;
  /** Aborts leading or waiting for the lock; null while hidden and after the end. */
  #leadership: AbortController | null = null;
  #isLeading = false;
  /** Aborted when the scan is over. */
  readonly #scan = new AbortController();
  /** The final report, if this tab has read it as the leader. */
  read: ReportRead | null = null;

  constructor(reportId: string) {
    this.#reportId = reportId;
    this.#name = `svc-live-${reportId}`;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly snapshot = (): Followed => this.#followed;

  /** @returns a function that stops the feed. */
  start(): () => void {
    this.#channel = openChannel(this.#name, (message) => this.#receive(message as Message));
    this.#post({ kind: 'ask', after: lastNumber(this.#followed) });
    const look = () => this.#updateLeadership();
    document.addEventListener('visibilitychange', look);
    look();
    return () => {
      document.removeEventListener('visibilitychange', look);
      this.#stopLeading();
      this.#channel?.close();
      this.#channel = null;
    };
  }

  #updateLeadership(): void {
    if (document.hidden || this.#followed.ending !== null) {
      this.#stopLeading();
      return;
    }
    if (this.#leadership) return;
    const { signal } = (this.#leadership = new AbortController());
    const lead = () => this.#lead(signal);
    // A tab that hears nothing from the leader leads itself.
    void (this.#channel ? withLock(this.#name, signal, lead) : lead());
  }

  #stopLeading(): void {
    this.#leadership?.abort();
    this.#leadership = null;
  }

  async #lead(signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    this.#isLeading = true;
    await Promise.all([this.#follow(signal), this.#watch(signal)]);
    // This tab may have become the leader again meanwhile.
    if (this.#leadership === null || this.#leadership.signal === signal) this.#isLeading = false;
  }

  async #follow(signal: AbortSignal): Promise<void> {
    const { address, wish } = this.#wish(signal);
    let failures = 0;
    while (!signal.aborted) {
      const startedMs = performance.now();
      let askedMs = 0;
      try {
        const lastEventId = String(lastNumber(this.#followed));
        if (!(await readEventStream(address, { ...wish, lastEventId }))) {
          await this.#look(signal);
          return;
        }
        failures = performance.now() - startedMs > LIVED_MS ? 0 : failures + 1;
      } catch (error) {
        if (signal.aborted || this.#isEndedBy(error)) return;
        failures += 1;
        askedMs = error instanceof ApiError ? (error.retryAfterMs ?? 0) : 0;
        this.#connect({ is: 'failing', message: messageOf(error) });
      }
      await pause(Math.max(askedMs, pauseMs(failures)), signal);
    }
  }

  #wish(signal: AbortSignal) {
    let waiting: Numbered[] = [];
    const wish = {
      signal,
      onMessage: ({
        event,
        id,
        data,
      }: {
        event?: string | undefined;
        id?: string | undefined;
        data: string;
      }) => {
        if (event === 'hello') {
          const { count } = JSON.parse(data) as StreamHello;
          this.#connect({ is: 'open', newest: lastNumber(this.#followed) + count });
        }
        if (event === 'progress')
          waiting.push({ number: Number(id), event: JSON.parse(data) as ProgressEvent });
      },
      onPause: () => {
        this.#add(lastNumber(this.#followed), waiting);
        waiting = [];
      },
    };
    const input = { params: { id: this.#reportId }, query: { resume: '1' as const } };
    return { address: streamAddress({}, 'streamEvents', input), wish };
  }

  async #watch(signal: AbortSignal): Promise<void> {
    const { signal: isOver } = this.#scan;
    while (!signal.aborted) {
      await this.#look(signal);
      if (isOver.aborted) await pause(LOOKED_AT_THE_END_EVERY_MS, signal);
      else await pause(LOOKED_EVERY_MS, AbortSignal.any([signal, isOver]));
    }
  }

  async #look(signal: AbortSignal): Promise<void> {
    try {
      const outcome = await client.getReport({ params: { id: this.#reportId }, signal });
      if (!outcome.ok) throw new ApiError(outcome);
      if (outcome.body.state === 'live' || signal.aborted) return;
      this.read = outcome.body;
      this.#end('final');
    } catch (error) {
      // A connection error is ignored here, because the stream reports it.
      this.#isEndedBy(error);
    }
  }

  #isEndedBy(error: unknown): boolean {
    if (isApiError(error, 'UNAUTHENTICATED')) this.#end('signedOut');
    else if (isApiError(error, 'NOT_FOUND', 'REPORT_EXPIRED')) this.#end('gone');
    else return false;
    return true;
  }

  #end(ending: Ending): void {
    this.#change({ ...this.#followed, ending });
    this.#broadcast(lastNumber(this.#followed), []);
    this.#stopLeading();
  }

  #connect(connection: Connection): void {
    this.#change({ ...this.#followed, connection });
    this.#broadcast(lastNumber(this.#followed), []);
  }

  #add(after: number, events: readonly Numbered[]): void {
    const next = withEvents(this.#followed, after, events);
    if (next === null || next === this.#followed) return;
    this.#change(next);
    this.#broadcast(after, events);
  }

  #receive(message: Message): void {
    if (message.kind === 'ask') {
      const { events } = this.#followed;
      if (this.#isLeading)
        this.#broadcast(
          message.after,
          events.filter(({ number }) => number > message.after),
        );
      return;
    }
    const { after, events, connection, ending } = message;
    const known = withEvents(this.#followed, after, events);
    if (known === null) this.#post({ kind: 'ask', after: lastNumber(this.#followed) });
    const next = known ?? this.#followed;
    this.#change(this.#isLeading ? next : { ...next, connection, ending: next.ending ?? ending });
    if (this.#followed.ending !== null) this.#stopLeading();
  }

  #broadcast(after: number, events: readonly Numbered[]): void {
    const { connection, ending } = this.#followed;
    this.#post({ kind: 'tell', after, events, connection, ending });
  }

  #post(message: Message): void {
    this.#channel?.postMessage(message);
  }

  #change(followed: Followed): void {
    this.#followed = followed;
    if (followed.events.at(-1)?.event.type === 'scan_completed') this.#scan.abort();
    for (const listener of this.#listeners) listener();
  }
}
