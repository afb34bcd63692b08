/**
 * Starts readers of many streams in processes of their own, so that their work counts neither for the server nor for
 * the sender.
 */
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';

const GIVEN_UP_AFTER_MS = 60_000;
/** Each reader has this many local addresses, which no other reader uses. */
const ADDRESSES_PER_READER = 10;

export interface StreamAddress {
  readonly path: string;
  readonly cookie: string;
}

export type ToReader =
  | {
      readonly kind: 'open';
      readonly port: number;
      readonly streams: readonly StreamAddress[];
      readonly firstAddress: number;
    }
  | { readonly kind: 'await'; readonly delivered: number }
  | { readonly kind: 'take' };

export type FromReader =
  | { readonly kind: 'opened' }
  | { readonly kind: 'reached'; readonly atUs: number }
  | ({ readonly kind: 'taken' } & Arrivals);

export interface Arrivals {
  /** The times from creation to arrival of the events that arrived since the last query. */
  readonly latenciesUs: readonly number[];
  /** The number of events in all streams since the start. */
  readonly delivered: number;
  /** The number of events whose number does not follow that of the previous event. */
  readonly wrong: number;
  /** Streams that ended. */
  readonly broken: number;
}

export interface StreamReaders {
  /**
   * Waits until the streams of each reader have together received this many events per stream. Resolves to the time of
   * the last one in µs.
   */
  untilDelivered(perStream: number): Promise<number>;
  take(): Promise<Arrivals>;
  stop(): Promise<void>;
}

/** Resolves when all streams are open. */
export async function startStreamReaders(
  port: number,
  streams: readonly StreamAddress[],
  processes: number,
): Promise<StreamReaders> {
  const readers = Array.from({ length: processes }, (_, index) => ({
    child: fork(new URL('stream-reader.ts', import.meta.url)),
    streams: streams.filter((_stream, number) => number % processes === index),
  }));
  const stop = async () => {
    await Promise.all(readers.map(({ child }) => ended(child)));
  };
  try {
    await Promise.all(
      readers.map(({ child, streams: own }, index) =>
        ask(
          child,
          { kind: 'open', port, streams: own, firstAddress: 1 + index * ADDRESSES_PER_READER },
          'opened',
        ),
      ),
    );
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    async untilDelivered(perStream) {
      const reached = await Promise.all(
        readers.map(({ child, streams: own }) =>
          ask(child, { kind: 'await', delivered: perStream * own.length }, 'reached'),
        ),
      );
      return Math.max(...reached.map(({ atUs }) => atUs));
    },
    async take() {
      const taken = await Promise.all(readers.map(({ child }) => ask(child, { kind: 'take' }, 'taken')));
      const sum = (figure: (arrivals: Arrivals) => number) =>
        taken.reduce((total, arrivals) => total + figure(arrivals), 0);
      return {
        latenciesUs: taken.flatMap(({ latenciesUs }) => latenciesUs),
        delivered: sum(({ delivered }) => delivered),
        wrong: sum(({ wrong }) => wrong),
        broken: sum(({ broken }) => broken),
      };
    },
    stop,
  };
}

/** Sends a question and resolves to its answer. */
function ask<Kind extends FromReader['kind']>(
  child: ChildProcess,
  question: ToReader,
  kind: Kind,
): Promise<Extract<FromReader, { kind: Kind }>> {
  return new Promise((resolve, reject) => {
    const settle = (finish: () => void) => {
      clearTimeout(timer);
      child.off('message', onMessage).off('exit', onExit);
      finish();
    };
    const onMessage = (message: FromReader) => {
      if (message.kind === kind) settle(() => resolve(message as Extract<FromReader, { kind: Kind }>));
    };
    const onExit = () => settle(() => reject(new Error('A stream reader ended.')));
    const timer = setTimeout(
      () => settle(() => reject(new Error(`A stream reader did not send ${JSON.stringify(kind)} in time.`))),
      GIVEN_UP_AFTER_MS,
    );
    child.on('message', onMessage).once('exit', onExit);
    child.send(question);
  });
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || !child.connected) return;
  const exit = once(child, 'exit');
  child.disconnect();
  await exit;
}
