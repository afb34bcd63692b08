/**
 * Hints over PostgreSQL's `NOTIFY`, which the database itself delivers at the commit and folds within a transaction.
 *
 * One connection listens for the whole process, to one channel; topics are told apart here, so that listening to a topic
 * costs the database nothing. The connection is asked for a sign of life, since one that died without a word looks like
 * one on which nothing happens. When it was lost it is made again, after ever longer pauses, and then every listener is
 * called, for hints that came in between.
 */
import pg from 'pg';
import type { Bus } from './bus.ts';
import { Listeners } from './listeners.ts';

const CHANNEL = 'svc_hints';
const RECONNECT_FIRST_MS = 100;
const RECONNECT_MAX_MS = 5000;
const SIGN_OF_LIFE_EVERY_MS = 10_000;
const ANSWER_TIMEOUT_MS = 5000;

/**
 * @param onLost told of each connection that was lost or could not be made again.
 * @throws what the driver throws when the first connection can not be made.
 */
export async function openPostgresBus(url: string, onLost: (error: unknown) => void): Promise<Bus> {
  const listeners = new Listeners();
  let client: pg.Client | null = null;
  let closed = false;
  let pauseMs = RECONNECT_FIRST_MS;
  let timer: NodeJS.Timeout | undefined;

  async function connect(): Promise<void> {
    const made = new pg.Client({
      connectionString: url,
      application_name: 'svc hints',
      connectionTimeoutMillis: ANSWER_TIMEOUT_MS,
      query_timeout: ANSWER_TIMEOUT_MS,
      keepAlive: true,
    });
    made.on('notification', ({ payload }) => {
      if (payload !== undefined) listeners.call(payload);
    });
    made.once('error', (error: unknown) => lose(made, error));
    made.once('end', () => lose(made, new Error('the connection for hints ended')));
    try {
      await made.connect();
      await made.query(`LISTEN ${CHANNEL}`);
    } catch (error) {
      made.removeAllListeners('end');
      made.on('error', () => undefined);
      await made.end().catch(() => undefined);
      throw error;
    }
    if (closed) {
      await made.end();
      return;
    }
    client = made;
    pauseMs = RECONNECT_FIRST_MS;
    askForSignOfLife(made);
  }

  function askForSignOfLife(of: pg.Client): void {
    timer = setTimeout(() => {
      of.query('SELECT 1').then(
        () => {
          if (client === of) askForSignOfLife(of);
        },
        (error: unknown) => lose(of, error),
      );
    }, SIGN_OF_LIFE_EVERY_MS).unref();
  }

  function lose(lost: pg.Client, error: unknown): void {
    lost.on('error', () => undefined);
    if (client !== lost || closed) return;
    client = null;
    clearTimeout(timer);
    lost.end().catch(() => undefined);
    onLost(error);
    reconnectLater();
  }

  function reconnectLater(): void {
    timer = setTimeout(() => {
      connect().then(
        () => listeners.callAll(),
        (error: unknown) => {
          if (closed) return;
          onLost(error);
          reconnectLater();
        },
      );
    }, pauseMs).unref();
    pauseMs = Math.min(pauseMs * 2, RECONNECT_MAX_MS);
  }

  await connect();
  return {
    async publish(tx, topic) {
      await tx
        .selectNoFrom(({ fn, val }) => fn<string>('pg_notify', [val(CHANNEL), val(topic)]).as('notified'))
        .execute();
    },
    subscribe: (topic, listener) => listeners.add(topic, listener),
    async check() {
      if (!client) throw new Error('the connection for hints is down');
      await client.query('SELECT 1');
    },
    async close() {
      closed = true;
      clearTimeout(timer);
      listeners.clear();
      await client?.end();
      client = null;
    },
  };
}
