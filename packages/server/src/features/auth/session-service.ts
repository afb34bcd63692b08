/** Browser sessions: creating, finding and ending them. */
import { limits, type Session } from '@svc/contract';
import { AppError } from '#app-error';
import { isoTime, toTheHour, type Clock } from '#platform/clock';
import type { Bus } from '#platform/bus/bus';
import { createRecordMemory } from '#platform/bus/record-memory';
import { topics } from '#platform/bus/topics';
import type { Database, Db, Tx } from '#platform/database/database';
import { isRecordId, type Ids } from '#platform/ids';
import type { Random } from '#platform/random';
import type { Job } from '#platform/sweeper';
import { hashOfKey, hashToken, newSessionToken, type Token, type TokenKey } from '#platform/tokens';
import type { SessionPrincipal } from '#principal';
import { isConfirmed, sessionEndsAt } from './session-policy.ts';
import * as store from './store.ts';
import { namesOf } from './user-agent.ts';

/** The client of a sign-in. */
export interface SignInClient {
  readonly network: string;
  readonly userAgent: string;
}

export interface SessionService {
  /** Creates a session within the caller's transaction. The token is returned only here. */
  begin(tx: Tx, userId: string, client: SignInClient): Promise<Token>;
  find(key: TokenKey): Promise<SessionPrincipal | null>;
  list(userId: string, currentId: string): Promise<Session[]>;
  /** False when the user has no such session. */
  end(userId: string, sessionId: string): Promise<boolean>;
  /** Ends all of a user's sessions, except the one with `keepId` if given, within the caller's transaction. */
  endAll(tx: Tx, userId: string, keepId: string | null): Promise<void>;
  /** The open sessions among these, each with the time at which it ends. */
  findOpen(sessionIds: readonly string[]): Promise<ReadonlyMap<string, number>>;
  /**
   * Records that the password was given again.
   * @throws AppError UNAUTHENTICATED when the session has ended.
   */
  confirm(sessionId: string): Promise<void>;
  /**
   * For actions that an unattended open browser must not allow.
   * @throws AppError UNAUTHENTICATED when the session has ended; FORBIDDEN with the reason `confirm` when the password
   * was given too long ago.
   */
  requireConfirmed(db: Db, sessionId: string): Promise<void>;
  readonly job: Job;
}

export interface SessionPorts {
  readonly database: Database;
  readonly bus: Bus;
  readonly clock: Clock;
  readonly random: Random;
  readonly ids: Ids;
  /** A session that was not used for this long ends. */
  readonly sessionIdleMs: number;
  /** Null to never ask for the password again. */
  readonly confirmAfterMs: number | null;
}

export function createSessionService({
  database,
  bus,
  clock,
  random,
  ids,
  sessionIdleMs: idleMs,
  confirmAfterMs,
}: SessionPorts): SessionService {
  const db = database.read;
  const memory = createRecordMemory<store.SessionRow>(database, bus, {
    topicsOf: ({ userId }) => [topics.user(userId)],
  });
  return {
    async begin(tx, userId, { network, userAgent }) {
      const token = newSessionToken(random);
      const now = clock.now();
      await store.insertSession(tx, {
        id: ids.timed('ses'),
        userId,
        tokenHash: hashToken(token),
        createdAt: now,
        lastSeenAt: toTheHour(now),
        expiresAt: now + limits.sessionLifetimeMs,
        confirmedAt: null,
        ...namesOf(userAgent),
        network,
      });
      return token;
    },

    async find(key) {
      const now = clock.now();
      const session = await memory.find(key, () => store.findSession(db, hashOfKey(key)));
      if (!session || sessionEndsAt(session, idleMs) <= now) return null;
      if (session.lastSeenAt < toTheHour(now)) {
        await store.touchSession(db, session.id, toTheHour(now));
        memory.forget(key);
      }
      return { kind: 'session', userId: session.userId, sessionId: session.id };
    },

    async list(userId, currentId) {
      const rows = await store.listSessions(db, userId, { now: clock.now(), idleMs });
      return rows.map((row) => ({
        sessionId: row.id,
        createdAt: isoTime(row.createdAt),
        lastSeenAt: isoTime(row.lastSeenAt),
        expiresAt: isoTime(sessionEndsAt(row, idleMs)),
        current: row.id === currentId,
        system: row.system,
        browser: row.browser,
        network: row.network,
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
      const rows = await store.listOpen(db, sessionIds, { now: clock.now(), idleMs });
      return new Map(rows.map((row) => [row.id, sessionEndsAt(row, idleMs)]));
    },

    async confirm(sessionId) {
      if (!(await store.confirmSession(db, sessionId, clock.now()))) throw new AppError('UNAUTHENTICATED');
    },

    async requireConfirmed(within, sessionId) {
      const now = clock.now();
      const [session] = await store.listOpen(within, [sessionId], { now, idleMs });
      if (!session) throw new AppError('UNAUTHENTICATED');
      if (isConfirmed(session, confirmAfterMs, now)) return;
      throw new AppError('FORBIDDEN', {
        message: 'Enter your password again to do this.',
        details: { reason: 'confirm' },
      });
    },

    job: {
      name: 'expired sessions',
      everyMs: 60_000,
      run: () => store.deleteEndedSessions(db, { now: clock.now(), idleMs }),
    },
  };
}
