/** Browser sessions: how they begin, are found and end. */
import { limits, type Session } from '@svc/contract';
import { isoTime, toTheHour, type Clock } from '#platform/clock';
import type { Bus } from '#platform/bus/bus';
import { createRecordMemory } from '#platform/bus/record-memory';
import { topics } from '#platform/bus/topics';
import type { Database, Tx } from '#platform/database/database';
import { isRecordId, type Ids } from '#platform/ids';
import type { Random } from '#platform/random';
import type { Job } from '#platform/sweeper';
import { hashOfKey, hashToken, newSessionToken, type Token, type TokenKey } from '#platform/tokens';
import type { SessionPrincipal } from '#principal';
import * as store from './store.ts';

export interface SessionService {
  /** Begins a session within the transaction that decided to. The token is never to be had again. */
  begin(tx: Tx, userId: string): Promise<Token>;
  find(key: TokenKey): Promise<SessionPrincipal | null>;
  list(userId: string, currentId: string): Promise<Session[]>;
  /** False when the user has no such session. */
  end(userId: string, sessionId: string): Promise<boolean>;
  /** Ends all of a user's sessions but one, within the transaction that decided to. */
  endAll(tx: Tx, userId: string, keepId: string | null): Promise<void>;
  /** Those of the sessions that are open, with the time of their end. */
  findOpen(sessionIds: readonly string[]): Promise<ReadonlyMap<string, number>>;
  readonly job: Job;
}

export interface SessionPorts {
  readonly database: Database;
  readonly bus: Bus;
  readonly clock: Clock;
  readonly random: Random;
  readonly ids: Ids;
}

export function createSessionService({ database, bus, clock, random, ids }: SessionPorts): SessionService {
  const db = database.read;
  const memory = createRecordMemory<store.SessionRow>(database, bus, {
    topicsOf: ({ userId }) => [topics.user(userId)],
  });
  return {
    async begin(tx, userId) {
      const token = newSessionToken(random);
      const now = clock.now();
      await store.insertSession(tx, {
        id: ids.timed('ses'),
        userId,
        tokenHash: hashToken(token),
        createdAt: now,
        lastSeenAt: toTheHour(now),
        expiresAt: now + limits.sessionLifetimeMs,
      });
      return token;
    },

    async find(key) {
      const now = clock.now();
      const session = await memory.find(key, () => store.findSession(db, hashOfKey(key), now));
      if (!session || session.expiresAt <= now) return null;
      if (session.lastSeenAt < toTheHour(now)) {
        await store.touchSession(db, session.id, toTheHour(now));
        memory.forget(key);
      }
      return { kind: 'session', userId: session.userId, sessionId: session.id };
    },

    async list(userId, currentId) {
      const rows = await store.listSessions(db, userId, clock.now());
      return rows.map((row) => ({
        sessionId: row.id,
        createdAt: isoTime(row.createdAt),
        lastSeenAt: isoTime(row.lastSeenAt),
        expiresAt: isoTime(row.expiresAt),
        current: row.id === currentId,
      }));
    },

    async end(userId, sessionId) {
      if (!isRecordId('ses', sessionId)) return false;
      return database.transaction(async (tx) => {
        const ended = await store.deleteSession(tx, userId, sessionId);
        if (ended) await bus.publish(tx, topics.user(userId));
        return ended;
      });
    },

    async endAll(tx, userId, keepId) {
      await store.deleteSessionsOf(tx, userId, keepId);
      await bus.publish(tx, topics.user(userId));
    },

    async findOpen(sessionIds) {
      const rows = await store.listOpen(db, sessionIds, clock.now());
      return new Map(rows.map(({ id, expiresAt }) => [id, expiresAt]));
    },

    job: {
      name: 'expired sessions',
      everyMs: 60_000,
      run: () => store.deleteExpiredSessions(db, clock.now()),
    },
  };
}
