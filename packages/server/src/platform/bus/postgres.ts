/**
 * Hints over PostgreSQL's `NOTIFY`, which the database delivers at the commit and merges within a transaction.
 *
 * One connection listens for the whole process on one channel. Topics are separated here, so that listening to a topic
 * costs the database nothing. The connection is probed every second, because a dead one looks the same as an idle one.
 * A lost connection is opened again, after increasing delays. Until then every listener is called every half second,
 * because hints may be lost meanwhile.
 */
import pg from 'pg';
import type { Bus } from './bus.ts';
import { Listeners } from './listeners.ts';

const CHANNEL = 'svc_hints';
const RECONNECT_FIRST_MS = 100;
const RECONNECT_MAX_MS = 1000;
const SIGN_OF_LIFE_EVERY_MS = 1000;
const ANSWER_TIMEOUT_MS = 5000;
const CALLED_EVERY_MS = 500;

/**
 * @param onLost called for each connection that was lost or could not be opened again.
 * @throws the driver's error when the first connection cannot be opened.
 */
export async function openPostgresBus(url: string, onLost: (error: unknown) => void): Promise<Bus> {
  const listeners = new Listeners();
  let client: pg.Client | null = null;
  let closed = false;
  let pauseMs = RECONNECT_FIRST_MS;
  let timer: NodeJS.Timeout | undefined;
  let calls: NodeJS.Timeout | undefined;

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
    made.once('end', () => lose(made, new Error('the connection for notifications ended')));
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
    calls = setInterval(() => listeners.callAll(), CALLED_EVERY_MS).unref();
    listeners.callAll();
    reconnectLater();
  }

  function reconnectLater(): void {
    timer = setTimeout(() => {
      connect().then(
        () => {
          clearInterval(calls);
          listeners.callAll();
        },
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
    // Nothing to do: hints arrive from every process.
    refresh: () => undefined,
    subscribe: (topic, listener) => listeners.add(topic, listener),
    async check() {
      if (!client) throw new Error('the connection for notifications is down');
      await client.query('SELECT 1');
    },
    async close() {
      closed = true;
      clearTimeout(timer);
      clearInterval(calls);
      listeners.clear();
      await client?.end();
      client = null;
    },
  };
}
