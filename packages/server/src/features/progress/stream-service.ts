/**
 * Watching a scan live: who may open a stream, what it sends, and when it ends.
 *
 * A stream listens for hints before its access is checked and before anything is read, so that it misses neither a
 * revocation nor an event. It counts against the limits from its admission until its connection is closed, for whatever
 * reason.
 */
import type { StreamSource } from '#event-sink';
import { AppError } from '#app-error';
import type { Bus } from '#platform/bus/bus';
import { topics } from '#platform/bus/topics';
import type { Clock } from '#platform/clock';
import type { Database } from '#platform/database/database';
import { describeError, type Log } from '#platform/log';
import type { Timers } from '#platform/timers';
import type { SessionPrincipal } from '#principal';
import { AccessChecks } from './access-checks.ts';
import { Hub, PAGE_EVENTS } from './hub.ts';
import { cursorOf } from './policy.ts';
import * as store from './store.ts';
import { Stream } from './stream.ts';
import { eventsFrame, helloFrame } from './wire.ts';
import { Wheel } from './wheel.ts';

/** Short, because when so many streams are open, some of them end every few seconds. */
const TRY_AGAIN_AFTER_MS = 10_000;

export interface StreamPorts {
  readonly database: Database;
  readonly bus: Bus;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly log: Log;
  readonly streams: { readonly lifetimeMs: number; readonly perUserMax: number; readonly allMax: number };
  readonly findOpenSessions: (sessionIds: readonly string[]) => Promise<ReadonlyMap<string, number>>;
  /** @throws AppError NOT_FOUND, REPORT_EXPIRED */
  readonly requireReport: (
    needs: 'readable',
    userId: string,
    reportId: string,
  ) => Promise<{ readonly row: { state: string; expiresAt: number; lastEventNumber: number } }>;
}

export interface StreamWish {
  /** Asks for only the events after `lastEventId`, and for no stream when no event can follow. */
  readonly resume: boolean;
  readonly lastEventId: string | undefined;
}

export interface StreamService {
  /**
   * Resolves to the stream's source; null when the client resumes the stream of a final report without further events.
   * @throws AppError NOT_FOUND, REPORT_EXPIRED, UNAUTHENTICATED, RATE_LIMITED
   */
  open(viewer: SessionPrincipal, reportId: string, wish: StreamWish): Promise<StreamSource | null>;
  /** Ends all streams and accepts no new ones. */
  endAll(): void;
  /** The number of open streams. */
  count(): number;
}

/** The streams of one user or one report, and their listener. */
interface Group<Member> {
  readonly streams: Set<Stream>;
  readonly of: Member;
  stop(): void;
}

export function createStreamService(ports: StreamPorts): StreamService {
  const { database, bus, clock } = ports;
  const hubs = new Map<string, Group<Hub>>();
  const users = new Map<string, Group<{ admitted: number }>>();
  let admitted = 0;
  let isStopping = false;
  const onError = (error: unknown) => ports.log.error('stream failed', { error: describeError(error) });
  const checks = new AccessChecks(ports, onError);
  const wheel = new Wheel(ports.timers, {
    beat(stream) {
      stream.beat();
      if (!stream.isOver) checks.ask(stream);
    },
    round() {
      const now = clock.now();
      for (const { of: hub } of hubs.values()) {
        for (const stream of hub.streams)
          if (hub.expiresAt <= now || stream.sessionEndsAt <= now) stream.revoke();
        hub.readOn(false);
      }
      checks.retry();
    },
  });

  const askAll = (streams: ReadonlySet<Stream>) => streams.forEach((stream) => checks.ask(stream));

  function hubOf(reportId: string): Group<Hub> {
    const present = hubs.get(reportId);
    if (present) return present;
    const hub = new Hub(reportId, database, onError);
    const stops = [
      bus.subscribe(topics.progress(reportId), () => hub.hint()),
      bus.subscribe(topics.report(reportId), () => askAll(hub.streams)),
    ];
    const group = { streams: hub.streams, of: hub, stop: () => stops.forEach((stop) => stop()) };
    hubs.set(reportId, group);
    return group;
  }

  function userOf(userId: string): Group<{ admitted: number }> {
    const present = users.get(userId);
    if (present) return present;
    const streams = new Set<Stream>();
    const stop = bus.subscribe(topics.user(userId), () => askAll(streams));
    const group = { streams, of: { admitted: 0 }, stop };
    users.set(userId, group);
    return group;
  }

  /** Makes the stream receive hints from now on. */
  function register(stream: Stream): Hub {
    const hub = hubOf(stream.reportId);
    hub.streams.add(stream);
    userOf(stream.userId).streams.add(stream);
    return hub.of;
  }

  function unregister(stream: Stream): void {
    checks.forget(stream);
    const hub = hubs.get(stream.reportId);
    hub?.of.leave(stream);
    if (hub?.streams.size === 0) {
      hub.stop();
      hubs.delete(stream.reportId);
    }
    const user = users.get(stream.userId);
    user?.streams.delete(stream);
    if (user?.streams.size === 0) {
      user.stop();
      users.delete(stream.userId);
    }
  }

  /** @throws AppError RATE_LIMITED; INTERNAL with the status 503 while the process stops. */
  function admit(stream: Stream): void {
    const user = userOf(stream.userId).of;
    if (user.admitted >= ports.streams.perUserMax || admitted >= ports.streams.allMax) {
      throw new AppError('RATE_LIMITED', {
        message: 'Too many live streams are open. Close some, or try again later.',
        retryAfterMs: TRY_AGAIN_AFTER_MS,
      });
    }
    if (isStopping) throw new AppError('INTERNAL', { status: 503, retryAfterMs: TRY_AGAIN_AFTER_MS });
    user.admitted += 1;
    admitted += 1;
  }

  function close(stream: Stream): void {
    stream.cut();
    userOf(stream.userId).of.admitted -= 1;
    admitted -= 1;
    wheel.remove(stream);
    unregister(stream);
  }

  /** Checks access until no hint arrives during a check. */
  async function authorize(stream: Stream, hub: Hub) {
    for (;;) {
      stream.isSuspect = false;
      const { hints } = hub;
      const sessions = await ports.findOpenSessions([stream.sessionId]);
      const sessionEndsAt = sessions.get(stream.sessionId);
      if (sessionEndsAt === undefined) throw new AppError('UNAUTHENTICATED');
      const { row } = await ports.requireReport('readable', stream.userId, stream.reportId);
      if (stream.isSuspect) continue;
      stream.sessionEndsAt = sessionEndsAt;
      hub.expiresAt = row.expiresAt;
      return { row, hints };
    }
  }

  /** Sends stored events, page by page as the client receives them, until the hub takes over. */
  async function replay(stream: Stream, hub: Hub, stored: number, lookedAt: number): Promise<void> {
    let last = stored;
    let hints = lookedAt;
    while (!stream.isOver && (stream.cursor < last || !hub.join(stream, hints))) {
      hints = hub.hints;
      const { head } = hub;
      const rows = await store.listAfter(database.read, stream.reportId, stream.cursor, PAGE_EVENTS);
      const newest = rows.at(-1);
      if (newest) {
        stream.send(eventsFrame(rows));
        stream.cursor = newest.number;
        await stream.taken();
      } else stream.cursor = Math.max(stream.cursor, head);
      last = rows.length === PAGE_EVENTS ? Infinity : stream.cursor;
    }
  }

  /** A separate function, so that a long-lived stream retains nothing of its admission. */
  function sourceOf(stream: Stream, hub: Hub, stored: number, hints: number): StreamSource {
    return (sink) => {
      wheel.add(stream, ports.streams.lifetimeMs);
      if (stream.begin(sink)) {
        stream.send(helloFrame(stored - stream.cursor));
        replay(stream, hub, stored, hints).catch((error: unknown) => {
          onError(error);
          stream.end();
        });
      }
      return () => close(stream);
    };
  }

  return {
    async open({ userId, sessionId }, reportId, { resume, lastEventId }) {
      const stream = new Stream(userId, sessionId, reportId);
      const hub = register(stream);
      try {
        const { row, hints } = await authorize(stream, hub);
        if (resume) stream.cursor = cursorOf(lastEventId, row.lastEventNumber);
        if (resume && stream.cursor === row.lastEventNumber && row.state === 'finalized') {
          unregister(stream);
          return null;
        }
        admit(stream);
        return sourceOf(stream, hub, row.lastEventNumber, hints);
      } catch (error) {
        unregister(stream);
        throw error;
      }
    },

    count: () => admitted,
    endAll() {
      isStopping = true;
      for (const { streams } of hubs.values()) for (const stream of streams) stream.end();
    },
  };
}
